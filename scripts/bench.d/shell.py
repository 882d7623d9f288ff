"""The command line: what a shell waits for at a tab, and a thousand changes through one connection."""

import json
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
        self.table.limit("complete a title at a tab, 100,000 items", statistics.median(times), "ms", 50)
        daemon = self.bench.library(1).copy(self.bench.home / "shell", self.bench.runtime)
        lines = [{"title": f"Card {number}"} for number in range(CARDS)]
        requests = [{"jsonrpc": "2.0", "id": number, "method": "projects/add", "params": params}
                    for number, params in enumerate(lines)]
        with daemon:
            through = [self.pipe(daemon, ["connect"], requests) for _ in range(ROUNDS)]
            called = [self.pipe(daemon, ["call", "projects/add", "--lines"], lines) for _ in range(ROUNDS)]
        self.table.limit(f"add {CARDS:,} cards through `connect`", statistics.median(through), "ms", 400)
        self.table.limit("the same by `call --lines`", statistics.median(called), "ms", 400)

    def complete(self, daemon):
        words = ["commonplace", "open", "Collected"]
        offered, milliseconds = self.run(
            daemon, ["---completion", "open", "--", "positional@0", "2", "9", *words],
            {**daemon.environment, "SAP_SHELL": "bash", "COMMONPLACE_LIBRARY": str(daemon.library)})
        if not offered.startswith("Collected letters"):
            raise RuntimeError(f"no title is offered: {offered}")
        return milliseconds

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
