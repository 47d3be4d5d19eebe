"""The processes of a rehearsal: each in a group of its own, on free ports of the loopback, all ended at the end."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request


class Processes:
    """Starts processes and ends those that it started, the latest first."""

    def __init__(self, work):
        self.work = pathlib.Path(work)
        self._running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for p in reversed(self._running):
            self.stop(p)

    def start(self, name, command, env=None):
        """Starts a command; what it prints goes to NAME.log."""
        with open(self.work / f"{name}.log", "ab") as log:
            p = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env,
                                 cwd=self.work, start_new_session=True)
        self._running.append(p)
        return p

    def stop(self, p):
        """Ends a process and what it started; a second call does nothing."""
        if p not in self._running:
            return
        self._running.remove(p)
        for sig in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(p.pid, sig)
            except ProcessLookupError:
                break
            try:
                p.wait(5)
            except subprocess.TimeoutExpired:
                continue

    def log(self, name):
        """What a process printed so far."""
        path = self.work / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""


def free_port():
    """A loopback port that nothing listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(what, seconds, ready):
    """Waits until ready() is true."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} is not ready after {seconds} s")
        time.sleep(0.05)


def listens(port):
    """Tells whether something listens on a loopback port."""
    with socket.socket() as s:
        s.settimeout(1)
        return s.connect_ex(("127.0.0.1", port)) == 0


def cloud(processes, tools):
    """Starts the emulated cloud and gives its address. It must be called localhost: the emulator tells the bucket of a
    template by it."""
    port = free_port()
    env = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "MOTO_IAM_LOAD_MANAGED_POLICIES": "true",
           "MOTO_RECORDER_FILEPATH": str(processes.work / "recording"), "PYTHONWARNINGS": "ignore"}
    processes.start("cloud", [f"{tools}/moto/bin/moto_server", "-H", "127.0.0.1", "-p", str(port)], env)
    until("the emulated cloud", 30, lambda: listens(port))
    address = f"http://localhost:{port}"
    post(address + "/moto-api/config", {"lambda": {"use_docker": False}})  # it takes invocations and runs nothing
    return address


def post(url, body=None):
    """POSTs JSON to the emulator's own interface."""
    request = urllib.request.Request(url, data=json.dumps(body or {}).encode(), method="POST",
                                     headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=10).close()


def redis(processes, password):
    """Starts a redis-server that asks for a password, and gives its port."""
    port = free_port()
    server = shutil.which("redis-server") or "/usr/bin/redis-server"
    conf = processes.work / "redis.conf"
    conf.write_text(f'bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave ""\nappendonly no\n')
    processes.start("redis", [server, str(conf)])
    until("redis-server", 10, lambda: listens(port))
    return port


def fixtures(processes, binary, pages):
    """Starts the stand-in for t.me and gives its address."""
    port = free_port()
    processes.start("fixtures", [binary, "-addr", f"127.0.0.1:{port}", "-pages", str(pages)])
    until("the recorded pages", 10, lambda: listens(port))
    return f"http://127.0.0.1:{port}"


class Environment:
    """One execution environment of a function: its bootstrap below the runtime emulator."""

    def __init__(self, processes, tools, name, bootstrap, env):
        self._processes, self.name, self._port = processes, name, free_port()
        self._process = processes.start(name, [
            f"{tools}/bin/aws-lambda-rie", "--runtime-interface-emulator-address", f"127.0.0.1:{self._port}",
            "--runtime-api-address", f"127.0.0.1:{free_port()}", str(bootstrap)], env)
        until(name, 10, lambda: listens(self._port))

    def invoke(self, payload):
        """Sends one event and gives the answer's bytes."""
        url = f"http://127.0.0.1:{self._port}/2015-03-31/functions/function/invocations"
        with urllib.request.urlopen(urllib.request.Request(url, data=payload), timeout=60) as answer:
            return answer.read()

    def stop(self):
        self._processes.stop(self._process)


class Redis:
    """A redis-server of the rehearsal, which asks for a password."""

    def __init__(self, processes, password):
        self.password, self.port = password, redis(processes, password)

    @property
    def url(self):
        return f"redis://default:{self.password}@127.0.0.1:{self.port}/0"

    def keys(self):
        """All keys."""
        return sorted(self._ask("KEYS *"))

    def rotate(self, password):
        """Takes another password from now on, forgets all keys, and hangs up on everybody."""
        for command in (f"CONFIG SET requirepass {password}", "FLUSHALL", "CLIENT KILL TYPE normal SKIPME yes"):
            self._ask(command)
            self.password = password

    def _ask(self, command):
        with socket.create_connection(("127.0.0.1", self.port), 5) as s, s.makefile("rwb") as f:
            f.write(f"AUTH {self.password}\r\n{command}\r\n".encode())
            f.flush()
            f.readline()
            answer = f.readline()
            if answer.startswith(b"-"):
                raise RuntimeError(f"redis: {answer.decode().strip()}")
            if not answer.startswith(b"*"):
                return answer
            return [f.read(int(f.readline()[1:]) + 2)[:-2].decode(errors="replace") for _ in range(int(answer[1:]))]
