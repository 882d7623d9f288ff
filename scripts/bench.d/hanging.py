"""What other clients feel of pages that poppler does not come to the end of."""

import statistics
import threading
import time

import made
from daemon import Client, Daemon, wait

ROUNDS = 3
PINGS = 5_000


class Hanging:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def hanging(self):
        before, meanwhile = [], []
        for number in range(ROUNDS):
            home = self.bench.home / f"hanging-{number}"
            with Daemon(self.bench.binaries, home, self.bench.runtime) as daemon:
                files = [self.bench.made_file(name, lambda: made.hanging_pdf(name)) for name in ("one.pdf", "two.pdf")]
                documents = [document["id"] for document in self.bench.add(daemon, files).values()]
                before.append(self.pings(daemon))
                answers = [self.ask(daemon, document) for document in documents]
                wait(lambda: self.busy(daemon) == len(documents), "no page hangs")
                # The other threads of their workers have settled.
                time.sleep(0.5)
                meanwhile.append(self.pings(daemon))
                if any(answers) or self.busy(daemon) < len(documents):
                    raise RuntimeError(f"a page does not hang: {answers}")
        self.table.limit(
            "`session/ping` while two pages hang, p99", statistics.median(meanwhile), "ms", 2)
        self.table.add("the same before", f"{statistics.median(before):.2f} ms", "", "", "", None)

    def pings(self, daemon):
        """Milliseconds, the 99th percentile."""
        line = '{"jsonrpc":"2.0","id":@,"method":"session/ping","params":{}}'
        return self.bench.run("load", "roundtrip", daemon.socket, PINGS, line)[1] / 1e3

    def busy(self, daemon):
        return sum(worker["isBusy"] for worker in daemon.call("session/status")["workers"]["running"])

    def ask(self, daemon, document):
        """Draws its page, and gives a list that the answer comes into."""
        answer = []

        def draw():
            client = Client(daemon.socket)
            try:
                answer.append(client.call("documents/render", {"id": document, "page": 0, "width": 1_000}))
            except (OSError, RuntimeError) as failure:
                answer.append(failure)
            finally:
                client.close()

        threading.Thread(target=draw, daemon=True).start()
        return answer
