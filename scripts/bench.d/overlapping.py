"""How the write-ahead log grows beside reads that overlap, and how long they take: one writer, four readers, a minute."""

import json
import threading
import time

from daemon import Daemon

SECONDS = 60
READERS = 4


def line(method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": "@", "method": method, "params": params}).replace('"@"', "@", 1)


WRITE = line("diary/add", text="The @th entry. " + "Some words of a day by the river. " * 20)
READ = line("diary/list", limit=50)


class Overlapping:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def overlapping(self):
        with Daemon(self.bench.binaries, self.bench.home / "overlapping", self.bench.runtime) as daemon:
            self.bench.run("load", "roundtrip", daemon.socket, 500, WRITE)
            end = time.monotonic() + SECONDS
            reads, writes, largest = [], [], 0

            def go_on(count, request, into):
                while time.monotonic() < end:
                    into.extend(self.bench.run("load", "times", daemon.socket, count, request))

            threads = [threading.Thread(target=go_on, args=(500, READ, reads)) for _ in range(READERS)]
            threads.append(threading.Thread(target=go_on, args=(1_000, WRITE, writes)))
            for thread in threads:
                thread.start()
            log = daemon.database.with_name(daemon.database.name + "-wal")
            while any(thread.is_alive() for thread in threads):
                largest = max(largest, log.stat().st_size if log.exists() else 0)
                time.sleep(0.05)
            for thread in threads:
                thread.join()
        if not (reads and writes):
            raise RuntimeError("no round of the load came to its end")
        self.table.limit("the log of one writer and four readers, a minute, at most", largest / 2**20, "MiB", 64)
        # Of all reads: a round in which the log was restarted is rare, and its slow reads are what is measured.
        self.table.limit("a read meanwhile, p99", sorted(reads)[len(reads) * 99 // 100] / 1e3, "ms", 20)
        self.table.add("writes meanwhile", f"{len(writes) / SECONDS:,.0f} writes/s", "", "", "", None)
