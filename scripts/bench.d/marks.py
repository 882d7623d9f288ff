"""Highlights saved as real annotations, by the daemon and by epdfinfo."""

import os
import statistics

from daemon import Daemon
from epdfinfo import Epdfinfo
from pictures import Both, in_turns

ROUNDS = 9
PAGE = 20


class Marks:
    """`bench` has the files; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def marks(self):
        """Ours is `documents/export`: the mark put into a copy that is compared with the source, opened again, looked
        through for the mark, and synced. Theirs is `addannot` and `save`, and a sync of the copy by us."""
        files = [self.bench.files[kind][0] for kind in ("text", "cjk", "long")]
        medians = Both()
        with Daemon(self.bench.binaries, self.bench.home / "marks", self.bench.runtime) as daemon:
            documents = self.bench.add(daemon, files)
            for file in files:
                medians.add(self.both(daemon, file, documents[file]["id"]).of(statistics.median))
        for (file, document), ours, theirs in zip(documents.items(), *medians.of(list)):
            size = f"{document['pageCount']:,} pages, {file.stat().st_size / 1e6:.1f} MB"
            self.table.ratio(
                f"a highlight saved into a copy, durable, {size}", ours, ("epdfinfo", theirs), "ms", most=1.5)

    def both(self, daemon, file, document):
        page = daemon.call("documents/page", id=document, page=PAGE)
        middle = page["height"] / 2
        mark = daemon.call(
            "documents/addHighlight", id=document, page=PAGE, **{
                "from": {"x": 0, "y": middle}, "to": {"x": page["width"], "y": middle + 30}})
        left, top, right, _, _, bottom, *_ = mark["lines"][0]["quad"]
        edges = [left / page["width"], top / page["height"], right / page["width"], bottom / page["height"]]
        times = Both()
        for number in range(ROUNDS):
            copy = self.bench.home / f"copy-{file.name}"
            # Its copies lie on the disk that ours do.
            with Epdfinfo(file, copies=self.bench.home) as peer:
                times.add(in_turns(
                    number, lambda: self.export(daemon, document, copy), lambda: self.save(peer, file, edges)))
            copy.unlink()
        return times

    def export(self, daemon, document, copy):
        added = daemon.call("documents/export", id=document, format="pdf", path=str(copy))["added"]
        if added != 1:
            raise RuntimeError(f"{added} marks are in the copy")

    def save(self, peer, file, edges):
        peer.highlight(file, PAGE, edges)
        copy = peer.save(file)
        for path in (copy, copy.parent):
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        if copy.parent != self.bench.home or copy.stat().st_size <= file.stat().st_size:
            raise RuntimeError(f"epdfinfo has not saved {copy}")
        copy.unlink()
