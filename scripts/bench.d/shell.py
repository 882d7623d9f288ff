"""The command line: what a shell waits for at a tab, and a thousand changes through one connection."""

import json
import os
import pty
import statistics
import subprocess
import time

ROUNDS = 9
CARDS = 1_000


class Shell:
    """`bench` has the libraries; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def shell(self):
        daemon = self.bench.library(100_000)
        with daemon:
            # The first suggestion of a daemon reads the index from the disk.
            daemon.call("search/suggest", scope="library", text="Collected", limit=50)
            times = [self.complete(daemon) for _ in range(ROUNDS)]
            identified = self.complete_ids(daemon)
        self.table.limit("complete a title at a tab, 100,000 items", statistics.median(times), "ms", 50)
        self.table.limit("complete an id at a tab, 100,000 items", statistics.median(identified), "ms", 50)
        daemon = self.bench.library(1).copy(self.bench.home / "shell", self.bench.runtime)
        lines = [{"title": f"Card {number}"} for number in range(CARDS)]
        requests = [{"jsonrpc": "2.0", "id": number, "method": "projects/add", "params": params}
                    for number, params in enumerate(lines)]
        with daemon:
            through = [self.pipe(daemon, ["connect"], requests) for _ in range(ROUNDS)]
            called = [self.pipe(daemon, ["call", "projects/add", "--lines"], lines) for _ in range(ROUNDS)]
        self.table.limit(f"add {CARDS:,} cards through `connect`", statistics.median(through), "ms", 400)
        self.table.limit("the same by `call --lines`", statistics.median(called), "ms", 400)

    def complete(self, daemon, typed="Collected", expected="Collected letters"):
        words = ["commonplace", "open", typed]
        offered, milliseconds = self.run(
            daemon, ["---completion", "open", "--", "positional@0", "2", "9", *words],
            {**daemon.environment, "SAP_SHELL": "bash", "COMMONPLACE_LIBRARY": str(daemon.library)})
        if not offered.startswith(expected):
            raise RuntimeError(f"nothing is offered for {typed}: {offered}")
        return milliseconds

    def complete_ids(self, daemon):
        """The ids of the last list of a terminal: a child has one, and is the leader of its session."""
        end = daemon.call("documents/list", limit=20)["items"][0]["id"][-4:]
        reading, writing = os.pipe()
        child, terminal = pty.fork()
        if child == 0:
            status = 1
            try:
                subprocess.run(
                    [str(daemon.binary), "call", "documents/list", "limit=20"], check=True,
                    env={**daemon.environment, "COMMONPLACE_LIBRARY": str(daemon.library)})
                times = [self.complete(daemon, end, end) for _ in range(ROUNDS)]
                os.write(writing, json.dumps(times).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        shown = b""
        try:
            while part := os.read(terminal, 65_536):
                shown += part
        except OSError:
            # The terminal is closed.
            pass
        os.waitpid(child, 0)
        os.close(terminal)
        with os.fdopen(reading, "rb") as pipe:
            times = pipe.read()
        if not times:
            raise RuntimeError(f"no id was completed: {shown.decode(errors='replace')}")
        return json.loads(times)

    def pipe(self, daemon, arguments, messages):
        place = ["--library", str(daemon.library), "--socket", str(daemon.socket)]
        text = "".join(json.dumps(message) + "\n" for message in messages)
        answers, milliseconds = self.run(daemon, arguments + place, daemon.environment, text)
        if answers.count('"title"') < CARDS or '"error"' in answers:
            raise RuntimeError(f"not every card was added: {answers[:500]}")
        return milliseconds

    def run(self, daemon, arguments, environment, text=None):
        """The output of a command, and how long it took."""
        start = time.perf_counter()
        done = subprocess.run(
            [str(daemon.binary), *arguments], env=environment, input=text, stdin=None if text else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=daemon.log, text=True, check=True)
        return done.stdout, (time.perf_counter() - start) * 1e3
