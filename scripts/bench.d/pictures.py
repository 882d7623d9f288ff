"""Pages drawn by the daemon and by epdfinfo, one after the other."""

import statistics
import subprocess
import time
from pathlib import Path

WIDTH = 1000
PAGES = 20


class Epdfinfo:
    """pdf-tools' server, as Emacs talks to it."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["epdfinfo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, *words):
        escaped = (str(word).replace("\\", "\\\\").replace(":", "\\:") for word in words)
        self.process.stdin.write(":".join(escaped) + "\n")
        self.process.stdin.flush()
        status, *answer = iter(lambda: self.process.stdout.readline().rstrip("\n"), ".")
        if status != "OK":
            raise RuntimeError(f"epdfinfo: {words}: {answer}")
        return answer

    def open(self, path):
        self.ask("open", path, "")

    def render(self, path, page):
        Path(self.ask("renderpage", path, page + 1, WIDTH)[0]).unlink()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def timed(body):
    """Milliseconds."""
    start = time.perf_counter()
    body()
    return (time.perf_counter() - start) * 1e3


def add(daemon, files):
    """Documents of the daemon by file, all read to their ends."""
    documents = {file: daemon.call("documents/add", path=str(file)) for file in files}
    for document in documents.values():
        daemon.wait_until_read(document["id"])
    return documents


def warm(daemon, documents):
    """Medians (ours, theirs) of pages never drawn before, of documents that are open on both sides."""
    ours, theirs = [], []
    for file, document in documents.items():
        peer = Epdfinfo()
        peer.open(file)
        peer.render(file, 0)
        daemon.call("documents/render", id=document["id"], page=0, width=WIDTH)
        # A worker that is being made ready for the next document would be measured along.
        daemon.wait_for_spare()
        for page in range(1, min(PAGES + 1, document["pageCount"])):
            theirs.append(timed(lambda: peer.render(file, page)))
            ours.append(timed(lambda: daemon.call("documents/render", id=document["id"], page=page, width=WIDTH)))
        peer.close()
    return statistics.median(ours), statistics.median(theirs)


def cold(daemon, documents, other, rounds=3):
    """(ours, theirs, ratio): medians over the files of opening a document and drawing its first page.

    Ours is a daemon that was just started, keeps no pictures from before, and has drawn a page of one other document,
    so that a worker waits. Theirs is a new process.
    """

    def first_page(file):
        peer = Epdfinfo()
        try:
            peer.open(file)
            peer.render(file, 0)
        finally:
            peer.close()

    ours = {file: [] for file in documents}
    theirs = {file: [] for file in documents}
    for _ in range(rounds):
        for file, document in documents.items():
            with daemon:
                daemon.call("documents/render", id=other["id"], page=0, width=WIDTH)
                daemon.wait_for_spare()
                ours[file].append(
                    timed(lambda: daemon.call("documents/render", id=document["id"], page=0, width=WIDTH)))
            theirs[file].append(timed(lambda: first_page(file)))
    pairs = [(statistics.median(ours[file]), statistics.median(theirs[file])) for file in documents]
    return (
        statistics.median(our for our, _ in pairs), statistics.median(their for _, their in pairs),
        statistics.median(our / their for our, their in pairs))
