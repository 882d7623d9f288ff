"""A daemon with a library of its own, for the bench."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path


def pin(process, cores):
    """Every thread of a process onto these cores; later threads inherit it."""
    for thread in os.listdir(f"/proc/{process}/task"):
        os.sched_setaffinity(int(thread), cores)


class Daemon:
    """Runs the release build in a folder of its own. The library lies on the disk that `home` is on."""

    def __init__(self, binaries: Path, home: Path, runtime: Path):
        self.binary = binaries / "commonplace"
        self.library = home / "library"
        self.database = self.library / "library.sqlite"
        self.socket = runtime / f"{home.name}.sock"
        self.environment = {
            **{name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ},
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_RUNTIME_DIR": str(runtime),
        }
        self.command = [str(self.binary), "serve", "--library", str(self.library), "--socket", str(self.socket)]
        # Not a terminal, where it would say that it serves.
        home.mkdir(parents=True, exist_ok=True)
        self.log = open(home / "errors", "ab")

    def configure(self, text):
        """At the next start."""
        file = Path(self.environment["XDG_CONFIG_HOME"]) / "commonplace/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log)
        wait(lambda: self.process.poll() is None and can_connect(self.socket), "the daemon does not listen")
        self.client = Client(self.socket)
        return self

    def __exit__(self, *_):
        self.client.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def call(self, method, **params):
        return self.client.call(method, params)

    def pin(self, cores):
        pin(self.process.pid, cores)

    def resident(self, pid=None):
        """MiB."""
        status = Path(f"/proc/{pid or self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def resident_at_rest(self):
        """MiB, when two seconds have changed nothing."""
        sizes = []
        while len(sizes) < 20 or max(sizes[-20:]) - min(sizes[-20:]) > 0.05:
            sizes.append(self.resident())
            time.sleep(0.1)
        return sizes[-1]

    def wait_for_rest(self):
        """Until a second has cost it no processor time: what it reads when it has started, it has read."""
        def ticks():
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return int(fields[11]) + int(fields[12])
        before, since = ticks(), time.monotonic()
        while time.monotonic() - since < 1:
            time.sleep(0.05)
            if ticks() != before:
                before, since = ticks(), time.monotonic()

    def drawn(self):
        """How many pictures of pages are kept on disk."""
        return sum(1 for _ in Path(self.environment["XDG_CACHE_HOME"]).glob("commonplace/pictures/*/*"))

    def workers(self):
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for file in children for pid in file.read_text().split()]

    def wait_for_spare(self):
        wait(lambda: self.call("session/status")["workers"]["spares"] > 0, "no worker is ready")

    def wait_until_read(self, document, pause=0.02):
        wait(lambda: self.call("documents/get", id=document)["state"] != "indexing", "a document is not read", 600, pause)

    def copy(self, home: Path, runtime: Path):
        """A copy of the stopped daemon's library, under another daemon."""
        other = Daemon(self.binary.parent, home, runtime)
        shutil.copytree(self.library, other.library)
        return other


class Client:
    """One JSON message a line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def call(self, method, params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        for line in self.lines:
            reply = json.loads(line)
            if reply.get("id") != 1 or "method" in reply:
                continue
            if "error" in reply:
                raise RuntimeError(f"{method}: {reply['error']}")
            return reply["result"]
        raise RuntimeError(f"{method}: the daemon has gone")

    def wait_for_news(self):
        """Until a notification comes, or for a moment: it may have come with the last reply."""
        if select.select([self.socket], [], [], 0.05)[0]:
            self.lines.readline()

    def close(self):
        self.lines.close()
        self.socket.close()


def can_connect(path):
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
        return True
    except OSError:
        return False


def wait(condition, otherwise, seconds=30, pause=0.02):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(pause)
