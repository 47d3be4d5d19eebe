# The API as a plain server. Nothing is pulled and nothing is compiled here: `make container` builds the program outside, as
# releases are built, lays the image's files out in build/container, and builds this. With a release's zip in its place
# (server, template.yaml) and a CA bundle the same file serves.
FROM scratch
ARG VERSION=unknown
LABEL org.opencontainers.image.title="channelapi" \
      org.opencontainers.image.description="Public Telegram channels as an API" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
COPY build/container/ /
WORKDIR /srv
# A number, so that orchestrators can see that it is not root. Nothing is written: the root file system may be read-only.
USER 65532:65532
# TELEGRAM_URL is named so that recorded pages never stand in for t.me. Everything else as in docs/configuration.md.
ENV LISTEN_ADDR=0.0.0.0:8080 TELEGRAM_URL=https://t.me
EXPOSE 8080
STOPSIGNAL SIGTERM
# Touches nothing but the process itself: a broken Redis or t.me is no reason to restart it. /healthz?deep=1 tells of those.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["/srv/server", "healthy"]
ENTRYPOINT ["/srv/server"]
