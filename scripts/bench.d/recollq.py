"""recoll, which indexes files and finds them: the peer of search. Run by Debian's own Python, it asks what recollq asks."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

# Debian's module is made for this one, whichever runs the bench.
PYTHON = "/usr/bin/python3"


class Recoll:
    """As Debian configures it, told only where the files are."""

    def __init__(self, folder: Path, texts: Path):
        self.configuration, self.index = folder, folder / "xapiandb"
        folder.mkdir()
        (folder / "recoll.conf").write_text(f"topdirs = {texts}\nloglevel = 2\n")
        self.environment = {**os.environ, "LANG": "C.UTF-8", "RECOLL_TMPDIR": str(folder)}

    def make_index(self):
        subprocess.run(
            ["recollindex", "-c", self.configuration, "-z"], env=self.environment, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def size(self):
        """Bytes on disk."""
        return sum(file.stat().st_blocks * 512 for file in self.index.iterdir())

    def ask(self, words, times):
        """For each word so often in turn: how long it took in milliseconds, how many are found, how many are shown."""
        asked = json.dumps({"configuration": str(self.configuration), "words": words, "times": times})
        done = subprocess.run(
            [PYTHON, __file__], input=asked, env=self.environment, check=True, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)


def answer(configuration, words, times):
    """What `recollq -A -n 20` does once it has started: the best twenty, each with its snippets."""
    from recoll import recoll

    database = recoll.connect(confdir=configuration)
    for _ in range(times):
        for word in words:
            start = time.perf_counter()
            query = database.query()
            found = query.execute(word, stemming=0)
            shown = [query.makedocabstract(document) for document in query.fetchmany(20)]
            yield (time.perf_counter() - start) * 1e3, found, len([text for text in shown if text])


if __name__ == "__main__":
    print(json.dumps(list(answer(**json.load(sys.stdin)))))
