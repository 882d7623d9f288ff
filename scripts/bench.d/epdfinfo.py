"""What Emacs' pdf-tools draws, searches and marks with: epdfinfo, the peer of everything that documents do."""

import os
import subprocess
from pathlib import Path

WIDTH = 1000


def line(*words):
    """A line of its protocol."""
    return ":".join(str(word).replace("\\", "\\\\").replace(":", "\\:") for word in words)


class Epdfinfo:
    """As Emacs talks to it: a line asks, and lines up to a lone point answer. Pages count from 1, places from 0 to 1."""

    def __init__(self, *files, copies=None):
        """Opens `files`. What it saves comes into the folder `copies`."""
        environment = {**os.environ, "TMPDIR": str(copies)} if copies else None
        self.process = subprocess.Popen(
            ["epdfinfo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment)
        for file in files:
            self.open(file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, *words):
        self.process.stdin.write(line(*words) + "\n")
        self.process.stdin.flush()
        status, *answer = iter(lambda: self.process.stdout.readline().rstrip("\n"), ".")
        if status != "OK":
            raise RuntimeError(f"epdfinfo: {words}: {answer}")
        return answer

    def open(self, path):
        self.ask("open", path, "")

    def render(self, path, page):
        """Draws a page, from 0, into a file, and removes it."""
        Path(self.ask("renderpage", path, page + 1, WIDTH)[0]).unlink()

    def highlight(self, path, page, edges):
        """`edges` are a line's left, top, right and bottom."""
        edges = " ".join(f"{edge:.6f}" for edge in edges)
        self.ask("addannot", path, page + 1, "highlight", edges, edges)

    def save(self, path):
        """Where it has put the copy."""
        return Path(self.ask("save", path)[0])

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
