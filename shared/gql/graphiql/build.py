#!/usr/bin/env python3
"""Makes page.html.gz: GraphiQL as one HTML page that needs nothing from elsewhere.

Run it by `go generate ./shared/gql/graphiql`. It takes pinned packages from the npm registry, checks their hashes, leaves the
embedded fonts out (most of the style sheet's size; the system's fonts stand in) and writes the same bytes each time.
"""
import base64, gzip, hashlib, io, pathlib, re, subprocess, tarfile, tempfile

PACKAGES = {
    "react@18.3.1": "wS+hAgJShR0KhEvPJArfuPVN1+Hz1t0Y6n5jLrGQbkb4urgPE/0Rve+1kMB1v/oWgHgm4WIcV+i7F2pTVj+2iQ==",
    "react-dom@18.3.1": "5m4nQKp+rZRb09LNH59GM4BxTh9251/ylbKIbpe7TpGxfJ+9kv6BLkLBXIjjspbgbnIBNqlI23tRnTWT0snUIw==",
    "graphiql@3.9.0": "rJYFlHdBbug9+YbFSwRVvgfPjCayC7wHecZkx/qB4XLuQPFQZw/yB9pmHFtOJV6RiNBBHro3u1GdocKa3YcGRA==",
}
FILES = {
    "react": ("react@18.3.1", "umd/react.production.min.js"),
    "react-dom": ("react-dom@18.3.1", "umd/react-dom.production.min.js"),
    "graphiql": ("graphiql@3.9.0", "graphiql.min.js"),
    "style": ("graphiql@3.9.0", "graphiql.min.css"),
}


def fetch(name, folder):
    file = subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
    data = (pathlib.Path(folder) / file).read_bytes()
    got = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if got != PACKAGES[name]:
        raise SystemExit(f"{name} has the hash {got}")
    return tarfile.open(fileobj=io.BytesIO(data))


def main():
    here = pathlib.Path(__file__).parent
    page = (here / "page.html").read_text()
    with tempfile.TemporaryDirectory() as folder:
        tars = {name: fetch(name, folder) for name in PACKAGES}
    for key, (package, path) in FILES.items():
        text = tars[package].extractfile("package/" + path).read().decode()
        if key == "style":
            text = re.sub(r"@font-face\s*\{[^}]*\}", "", text)
        else:
            # Inside a script element these two would be read as markup.
            text = text.replace("</script", "<\\/script").replace("<!--", "\\x3c!--")
        text = re.sub(r"(//|/\*)# sourceMappingURL=\S+( \*/)?", "", text).strip()
        page = page.replace("{{%s}}" % key, text)
    if "{{react" in page or "{{style" in page:
        raise SystemExit("page.html has a place left open")
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=0) as z:
        z.write(page.encode())
    (here / "page.html.gz").write_bytes(out.getvalue())
    print(f"page.html.gz: {len(out.getvalue())} bytes of {len(page.encode())}")


main()
