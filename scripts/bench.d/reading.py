"""Whole documents taken in, beside pdftotext."""

import shutil
import statistics
import subprocess

from daemon import Daemon
from pictures import Both, in_turns

ROUNDS = 3


class Reading:
    """`bench` has the files; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def reading(self):
        """From asking for a document to be added until the text of its last page is kept, with the box of every
        character, as a client waits for it: told of changes. The file is copied, hashed and made durable meanwhile, and
        search knows its words. `pdftotext -bbox` writes the boxes of words into a file, which nobody syncs. Both begin with
        a new process that reads the file."""
        files = [*self.bench.files["text"], *self.bench.files["cjk"]]
        times = Both()
        for file in files:
            times.add(self.both(file).of(statistics.median))
        self.row("whole text with boxes, kept and searchable, median of the files", *times.of(statistics.median),
                 statistics.median(times.ratios()))
        long = self.bench.files["long"][0]
        ours, theirs = self.both(long).of(statistics.median)
        self.row(f"the same of a book of {self.pages:,} pages", ours, theirs, ours / theirs)

    def row(self, what, ours, theirs, ratio):
        self.table.add(
            what, f"{ours:.0f} ms", f"pdftotext -bbox {theirs:.0f} ms", f"{ratio:.2f} ×", "≤ 0.65 ×", ratio <= 0.65)

    def both(self, file):
        times = Both()
        for number in range(ROUNDS):
            home = self.bench.home / "reading"
            with Daemon(self.bench.binaries, home, self.bench.runtime) as daemon:
                daemon.call("changes/subscribe", collections=["documents"])
                times.add(in_turns(number, lambda: self.read(daemon, file), lambda: self.peer(file)))
            shutil.rmtree(home)
        return times

    def read(self, daemon, file):
        document = daemon.call("documents/add", path=str(file))
        self.pages = document["pageCount"]
        while daemon.call("documents/get", id=document["id"])["state"] == "indexing":
            daemon.client.wait_for_news()

    def peer(self, file):
        subprocess.run(["pdftotext", "-bbox", file, self.bench.home / "boxes.html"], check=True, stderr=subprocess.DEVNULL)
