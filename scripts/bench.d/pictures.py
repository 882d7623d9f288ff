"""Pages drawn by the daemon and by epdfinfo, one after the other."""

import statistics
import time
from dataclasses import dataclass, field

import made
from daemon import Daemon
from epdfinfo import WIDTH, Epdfinfo

KINDS = ["text", "vector", "cjk"]
PAGES = 50
SCANNED_PAGES = 12
# A reader's rest on a page in seconds; by its end the neighbours must have been drawn.
REST = 1
# In seconds: longer than a worker waits before it gives back what it keeps to be quick.
WORKER_REST = 1.5


def timed(body):
    """Milliseconds."""
    start = time.perf_counter()
    body()
    return (time.perf_counter() - start) * 1e3


def in_turns(number, one, other):
    """(time of `one`, time of `other`); who begins changes with the number."""
    if number % 2:
        return tuple(reversed((timed(other), timed(one))))
    return timed(one), timed(other)


def p95(times):
    return sorted(times)[int(len(times) * 0.95)]


@dataclass
class Both:
    """The same of the daemon and of its peer."""

    ours: list = field(default_factory=list)
    theirs: list = field(default_factory=list)

    def add(self, pair):
        self.ours.append(pair[0])
        self.theirs.append(pair[1])

    def of(self, what):
        return what(self.ours), what(self.theirs)

    def ratios(self):
        return [our / their for our, their in zip(self.ours, self.theirs)]


class Pictures:
    """`bench` has the files; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def pictures(self):
        kinds = {kind: self.bench.files[kind] for kind in KINDS}
        scans = {"a scan, JPEG, 300 dpi": made.jpeg_scan, "a scan, fax, 300 dpi": made.fax_scan}
        scans = {what: self.bench.made_file(
            f"{make.__name__}.pdf", lambda: make(kinds["text"][0], SCANNED_PAGES)) for what, make in scans.items()}
        pages = [file for files in kinds.values() for file in files]
        daemon = Daemon(self.bench.binaries, self.bench.home / "pictures", self.bench.runtime)
        with daemon:
            documents = self.bench.add(daemon, [*pages, *scans.values()])
            plain = self.bench.made_file("plain.pdf", lambda: made.plain_pdf(1))
            other = self.bench.add(daemon, [plain])[plain]

        memory = Both()
        for kind, files in kinds.items():
            self.pages(f"a page to a PNG, 1000 px, {kind}", daemon, documents, files, "png", 0.65, 0.8, memory)
        for kind, files in kinds.items():
            self.pages(f"a page as `raw`, 1000 px, {kind}", daemon, documents, files, "raw", 0.45)
        for what, file in scans.items():
            self.pages(f"{what}, to a PNG", daemon, documents, [file], "png", 1.05)
        self.ahead(daemon, documents, pages)
        self.cold(daemon, {file: documents[file] for file in pages}, other)
        self.ratio("a worker at rest after 50 pages, median of the files", memory, "MiB", 1.3)

    # Rows

    def pages(self, what, daemon, documents, files, form, most, most_late=None, memory=None):
        """Pages never drawn before, of documents that are open on both sides. The peer always writes a PNG."""
        times = Both()
        for file in files:
            count = min(PAGES + 1, documents[file]["pageCount"])
            # As many pages of a short file, by a daemon that has drawn none of them.
            for _ in range(min(3, -(-PAGES // (2 * count)))):
                self.pages_of(file, documents[file]["id"], count, daemon, form, times, memory)
        ours, theirs = times.of(statistics.median)
        self.table.ratio(what, ours, ("epdfinfo", theirs), "ms", most=most)
        if most_late:
            ours, theirs = times.of(p95)
            self.table.ratio("the same, p95", ours, ("epdfinfo", theirs), "ms", most=most_late)

    def pages_of(self, file, document, count, daemon, form, times, memory):
        daemon.configure(self.bench.NOTHING_AHEAD)
        with daemon, Epdfinfo(file) as peer:
            draw = lambda page: daemon.call("documents/render", id=document, page=page, width=WIDTH, format=form)
            peer.render(file, 0)
            draw(0)
            # A worker that is being made ready for the next document would be measured along.
            daemon.wait_for_spare()
            for page in range(1, count):
                times.add(in_turns(page, lambda: draw(page), lambda: peer.render(file, page)))
            if memory and count > PAGES:
                time.sleep(WORKER_REST)
                memory.add((max(map(daemon.resident, daemon.workers())), daemon.resident(peer.process.pid)))

    def ahead(self, daemon, documents, files):
        """The reader turns to the page after the one that he rested on; and then asks for it again."""
        times, again = [], []
        daemon.configure("")
        with daemon:
            for file in files:
                document, count = documents[file]["id"], documents[file]["pageCount"]
                for page in range(1, min(PAGES, count - 1), 5):
                    draw = lambda page: daemon.call("documents/render", id=document, page=page, width=WIDTH)
                    before = daemon.drawn()
                    draw(page)
                    self.rest(daemon, before + 2)
                    times.append(timed(lambda: draw(page + 1)))
                    again.append(timed(lambda: draw(page + 1)))
                    self.rest(daemon, before + 2)
        self.table.limit("a page drawn ahead", statistics.median(times), "ms", 1.5)
        self.table.limit("a page drawn before", statistics.median(again), "ms", 1.5)

    def rest(self, daemon, least):
        """Until so many pictures are there, and no more come; or as long as a reader would."""
        end, count = time.monotonic() + REST, -1
        while time.monotonic() < end and (count < least or count != daemon.drawn()):
            count = daemon.drawn()
            time.sleep(0.05)

    def cold(self, daemon, documents, other, rounds=3):
        """Opening a document and drawing its first page.

        Ours is a daemon that was just started, keeps no pictures from before, and has drawn a page of one other document,
        so that a worker waits. Theirs is a new process.
        """

        def first_page(file):
            with Epdfinfo(file) as peer:
                peer.render(file, 0)

        daemon.configure(self.bench.NOTHING_AHEAD)
        medians = Both()
        for file, document in documents.items():
            times = Both()
            for number in range(rounds):
                with daemon:
                    daemon.call("documents/render", id=other["id"], page=0, width=WIDTH)
                    daemon.wait_for_spare()
                    times.add(in_turns(
                        number, lambda: daemon.call("documents/render", id=document["id"], page=0, width=WIDTH),
                        lambda: first_page(file)))
            medians.add(times.of(statistics.median))
        self.ratio("cold open and first page, median of the files", medians, "ms", 0.75)

    def ratio(self, what, both, unit, most):
        """The median of the files' ratios."""
        ours, theirs = both.of(statistics.median)
        ratio = statistics.median(both.ratios())
        self.table.add(
            what, f"{ours:.1f} {unit}", f"epdfinfo {theirs:.1f} {unit}", f"{ratio:.2f} ×", f"≤ {most:g} ×", ratio <= most)
