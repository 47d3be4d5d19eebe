"""The functions as deployed, run by the runtime emulator: settings and code are those that the emulated Lambda keeps, the
address of Redis comes from the emulated SSM, renewals go to the emulated Lambda."""

import base64
import json
import os
import secrets
import time

import expected
from processes import Environment, post


class Running:
    """Runs functions of a deployed stack, and counts what they ask of the emulated cloud."""

    def __init__(self, created, processes, tools, redis, secret):
        self.stack, self.created, self.report, self.secret = created.stack, created, created.report, secret
        self.processes, self.tools, self.redis = processes, tools, redis
        self.events = self.stack.root / "testdata/events"
        post(self.stack.cloud.address + "/moto-api/recorder/start-recording")

    def environment(self, function):
        """A cold environment of a function, with what the emulated Lambda would start it with."""
        logical = expected.logical(function)
        got = self.created.functions.get_function_configuration(FunctionName=self.created.name(logical))
        _, code = self.stack.cloud.code(logical, self.created.wanted[logical][1])
        settings = {k: str(v) for k, v in got["Environment"]["Variables"].items()}
        runtime = {k: v for k, v in self.stack.cloud.env.items() if k.startswith("AWS_")}
        runtime |= {"PATH": os.environ["PATH"], "AWS_REGION": runtime["AWS_DEFAULT_REGION"],
                    "AWS_LAMBDA_FUNCTION_NAME": got["FunctionName"], "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(got["MemorySize"])}
        return Environment(self.processes, self.tools, f"{function}-{time.monotonic_ns()}", code / got["Handler"],
                           settings | runtime)

    def ask(self, environment, event):
        """Sends an event of testdata, and gives status, headers in lower case and the body."""
        payload = event if isinstance(event, bytes) else (self.events / f"{event}.json").read_bytes()
        answer = json.loads(environment.invoke(payload))
        body = answer.get("body", "")
        body = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
        return answer.get("statusCode"), {k.lower(): v for k, v in answer.get("headers", {}).items()}, body

    def calls(self):
        """What the emulated cloud was asked since the recording began."""
        path = self.processes.work / "recording"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def secrets_read(self):
        return sum(h.get("X-Amz-Target") == "AmazonSSM.GetParameter" for h in self.headers())

    def headers(self):
        return [{k.title(): v for k, v in c["headers"].items()} for c in self.calls()]

    def queued(self):
        """The asynchronous invocations so far: function and payload."""
        found = []
        for call, headers in zip(self.calls(), self.headers()):
            if headers.get("X-Amz-Invocation-Type") == "Event" and "/functions/" in call["url"]:
                body = base64.b64decode(call["body"]) if call["body_encoded"] else call["body"].encode()
                found.append((call["url"].split("/functions/")[1].split("/")[0], body))
        return found

    def check(self):
        self.reads_the_secret()
        self.hands_renewals_over()
        self.rotates_the_secret()
        self.body.stop()

    def reads_the_secret(self):
        """The address of Redis is read from SSM by the deployed code, and what one environment fetched another finds."""
        r, before = self.report, self.secrets_read()
        body = self.body = self.environment("body")
        status, _, text = self.ask(body, "body-healthz-deep")
        health = json.loads(text)
        r.equal("body: its deep health", (status, health.get("l2"), health.get("upstream")), (200, "ok", "ok"))
        r.line(f"healthz?deep=1 of the deployed body says {text.decode().strip()}")
        r.true("body: the secret was read from SSM", self.secrets_read() > before, "GetParameter was not called")
        status, headers, _ = self.ask(body, "body-latest")
        r.equal("body: a cold page", (status, headers.get("x-cache")), (200, "miss"))
        keys = self.redis.keys()
        r.true("Redis holds the page", self.page_kept(), keys)
        feed = self.environment("feed")
        status, headers, _ = self.ask(feed, self.feed_of("harbor_news"))
        r.equal("feed: the page that body fetched", (status, headers.get("x-cache")), (200, "l2"))
        feed.stop()
        r.line(f"body fetched a page, feed found it in Redis; {self.secrets_read() - before} reads of the secret; keys {keys}")
        logs = "".join(p.read_text(errors="replace") for p in self.processes.work.glob("*-*.log"))
        r.true("no log tells the secret", self.redis.password not in logs)

    def page_kept(self):
        """Tells whether Redis holds the page that the events ask for, beside what is counted there."""
        return any(k.startswith("v") and "harbor_news" in k for k in self.redis.keys())

    def feed_of(self, channel):
        """An event that asks for the feed of one channel."""
        event = json.loads((self.events / "feed-commas.json").read_text())
        event["rawQueryString"], event["queryStringParameters"] = f"channels={channel}", {"channels": channel}
        return json.dumps(event).encode()

    def hands_renewals_over(self):
        """A stale page is served, its renewal is queued once at the emulated Lambda, and refresh carries it out once."""
        r, status, headers = self.report, 0, {}
        until = time.monotonic() + 30
        while headers.get("x-cache") != "stale" and time.monotonic() < until:
            time.sleep(1)
            status, headers, _ = self.ask(self.body, "body-latest")
        r.equal("body: a page over its age", (status, headers.get("x-cache")), (200, "stale"))
        queued = self.queued()
        name = self.created.name("RefreshFunction")
        r.equal("asynchronous invocations at the emulated Lambda", [f for f, _ in queued], [name])
        if not queued:
            return
        r.line(f"one asynchronous invocation of {name}: {queued[0][1].decode()[:120]}")
        refresh = self.environment("refresh")
        for want in ({"renewed": 1}, {"dropped": 1}):
            got = json.loads(refresh.invoke(queued[0][1]))
            r.equal("refresh: the queued renewal, then the same once more", {k: got.get(k) for k in want}, want)
        tick = json.loads(refresh.invoke(b'{"tick":true}'))
        r.true("refresh: a tick", "errorType" not in tick, tick)
        r.line(f"refresh renewed it once, and answered a tick with {json.dumps(tick)}")
        refresh.stop()

    def rotates_the_secret(self):
        """Another password in Redis and in SSM: the environment that runs goes on with L2, and nobody restarts it."""
        before, old = self.secrets_read(), self.redis.password
        self.redis.rotate(secrets.token_hex(12))
        self.stack.client("ssm").put_parameter(Name=self.secret, Value=self.redis.url, Type="SecureString", Overwrite=True)
        until, statuses = time.monotonic() + 60, set()
        while not self.page_kept() and time.monotonic() < until:
            time.sleep(1)
            statuses.add(self.ask(self.body, "body-latest")[0])
        self.report.true("body: writes to Redis again after the rotation", self.page_kept(), "no page within 60 s")
        self.report.equal("body: answers during the rotation", statuses, {200})
        self.report.true("body: read the secret again", self.secrets_read() > before, "GetParameter was not called")
        logs = "".join(p.read_text(errors="replace") for p in self.processes.work.glob("*-*.log"))
        self.report.true("no log tells either secret", old not in logs and self.redis.password not in logs)
        self.report.line(f"rotated: the same environment read SSM {self.secrets_read() - before} times and wrote again")
