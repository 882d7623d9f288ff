"""Finding and selecting text beside epdfinfo and pdfgrep, and passages in a library of many books."""

import json
import random
import statistics
import subprocess
import sys
import threading

import epdfinfo
import made
from daemon import Client, Daemon
from epdfinfo import Epdfinfo
from kept import kept
from pictures import Both, timed

WORD, EXPRESSION = "function", "func[a-z]+"
BOOKS = 10_000
ADDING = 3
ROUNDS = 3
QUOTES = 20


class Finding:
    """`bench` has the files; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    # In one document

    def finding(self):
        long, text = self.bench.files["long"][0], self.bench.files["text"][0]
        with Daemon(self.bench.binaries, self.bench.home / "finding", self.bench.runtime) as daemon:
            documents = self.bench.add(daemon, [long, text])
            daemon.pin(self.bench.other_cores)
            self.find(daemon, long, documents[long])
            self.select(daemon, text, documents[text]["id"])

    def find(self, daemon, file, document):
        """What is looked for was looked for before: on both sides the document is open."""
        book, pages = document["id"], document["pageCount"]
        with Epdfinfo(file) as peer:
            word = lambda: peer.ask("search-string", file, 1, pages, WORD, 1)
            expression = lambda: peer.ask("search-regexp", file, 1, pages, EXPRESSION, 1, 0)
            hits = self.agreed(daemon, document, word(), text=WORD)
            self.agreed(daemon, document, expression(), text=EXPRESSION, regex=True)
            times = {name: [] for name in ("all", "first", "expression", "word", "regexp", "pdfgrep")}
            for _ in range(ROUNDS):
                times["word"].append(timed(word))
                times["all"].append(self.roundtrip(daemon, 50, id=book, text=WORD, limit=10_000))
                times["first"].append(self.roundtrip(daemon, 50, id=book, text=WORD))
                times["pdfgrep"].append(timed(lambda: subprocess.run(
                    ["pdfgrep", "-n", "-i", "-F", WORD, file], check=True, stdout=subprocess.DEVNULL)))
                times["regexp"].append(timed(expression))
                times["expression"].append(
                    self.roundtrip(daemon, 50, id=book, text=EXPRESSION, regex=True, limit=10_000))
        times = {name: statistics.median(figures) for name, figures in times.items()}
        what = f"find a word, all {hits:,} hits on {pages:,} pages"
        self.table.ratio(what, times["all"], ("epdfinfo", times["word"]), "ms", most=0.01)
        self.table.ratio("the same", times["all"], ("pdfgrep", times["pdfgrep"]), "ms", most=0.01)
        self.table.limit("the same", times["all"], "ms", 10)
        self.table.limit("the number of hits, and the first hundred", times["first"], "ms", 10)
        self.table.ratio(
            "find a regular expression, all hits", times["expression"], ("epdfinfo", times["regexp"]), "ms", most=0.01)

    def agreed(self, daemon, document, theirs, **what):
        """How many hits there are. Ours knows words that go over the end of a line, which the peer does not."""
        ours = daemon.call("documents/find", id=document["id"], limit=10_000, **what)
        if not len(theirs) <= ours["total"] <= len(theirs) * 1.02 or len(ours["items"]) != ours["total"]:
            raise RuntimeError(f"{what}: epdfinfo finds {len(theirs)}, documents/find {ours['total']}")
        return ours["total"]

    def roundtrip(self, daemon, count, **params):
        request = {"jsonrpc": "2.0", "id": "@", "method": "documents/find", "params": params}
        return self.load(daemon, count, json.dumps(request))

    def load(self, daemon, count, request):
        """Milliseconds."""
        request = request.replace('"@"', "@", 1)
        return self.bench.run("load", "roundtrip", daemon.socket, count, request, cores=self.bench.core)[0] / 1e3

    def select(self, daemon, file, document):
        """Dragging over a page: each request ends elsewhere."""
        page = 20
        size = daemon.call("documents/page", id=document, page=page)
        left, top, right = 72, 120, size["width"] - 72
        request = json.dumps({"jsonrpc": "2.0", "id": "@", "method": "documents/select", "params": {
            "id": document, "page": page, "from": {"x": left, "y": top}, "to": {"x": right, "y": "3^"}}})
        from_, to = (f"{left / size['width']:.4f} {top / size['height']:.4f}", f"{right / size['width']:.4f}")
        # Three digits after the point: 0.36 to 0.423 of the page's height, where ours goes from 300 to 363 points.
        line = epdfinfo.line("getselection", file, page + 1, f"{from_} {to} 0.4^", 0)
        text = daemon.call("documents/select", id=document, page=page, **{
            "from": {"x": left, "y": top}, "to": {"x": right, "y": 330}})["text"]
        if len(text) < 200:
            raise RuntimeError(f"there is little text to select on page {page + 1} of {file}: {text!r}")
        times = Both()
        for _ in range(5):
            opening = epdfinfo.line("open", file, "")
            times.theirs.append(self.bench.run("load", "lines", 200, opening, line, "epdfinfo")[0] / 1e3)
            times.ours.append(self.load(daemon, 2_000, request.replace('"3^"', "3^")))
        ours, theirs = times.of(statistics.median)
        self.table.ratio("what dragging selects on a page", ours, ("epdfinfo", theirs), "ms", most=0.1)
        self.table.limit("the same", ours, "ms", 0.3)

    # In all documents

    def locating(self):
        """Each passage is looked for once, so that nothing of its answer is kept."""
        books = made.Library()
        chance = random.Random(7)
        numbers = chance.sample(range(BOOKS), 3 * QUOTES)
        others, exact, wrong = (numbers[first::3] for first in range(3))
        exact = {number: "\n".join(books.pages(number)[1][3:5]) for number in exact}
        wrong = {number: self.misread("\n".join(books.pages(number)[1][3:5])) for number in wrong}
        absent = ["\n".join(books.pages(BOOKS + number)[1][3:5]) for number in range(QUOTES)]
        with self.books(books) as daemon:
            # Or the first ones would be measured with a cold disk.
            for number in others:
                daemon.call("documents/locate", quote="\n".join(books.pages(number)[1][3:5]))
            for what, quotes in [("as it stands there", exact), ("with two letters wrong", wrong)]:
                found, times = [], []
                for number, quote in quotes.items():
                    times.append(timed(lambda: found.append(self.title_of(daemon, quote) == f"Book {number}")))
                what = f"locate a passage in {BOOKS:,} documents, {what}"
                self.table.limit(what, statistics.median(times), "ms", 50)
                self.table.add("the same, found", f"{sum(found)} of {len(found)}", "", "", "all", all(found))
            times = [timed(lambda: self.title_of(daemon, quote)) for quote in absent]
            self.table.limit("a passage that stands in none of them", statistics.median(times), "ms", 50)

    def misread(self, passage):
        third = len(passage) // 3
        for place in (third, 2 * third):
            place = passage.index(" ", place) + 1
            passage = passage[:place] + ("x" if passage[place] != "x" else "z") + passage[place + 1:]
        return passage

    def title_of(self, daemon, quote):
        """Of the likeliest document."""
        found = daemon.call("documents/locate", quote=quote)["items"]
        return found[0]["title"] if found else None

    def books(self, books):
        """A daemon, not running, that has read so many books."""
        def fill(daemon):
            with daemon:
                self.fill(daemon, books)
        return kept(self.bench, "books", books.file(BOOKS - 1), fill)

    def fill(self, daemon, books):
        failures = []

        def add(first):
            client, file = Client(daemon.socket), self.bench.home / f"book-{first}.pdf"
            try:
                for number in range(first, BOOKS, ADDING):
                    if number % 1_000 == 0:
                        print(f"bench: book {number} of {BOOKS}", file=sys.stderr)
                    file.write_bytes(books.file(number))
                    client.call("documents/add", {"path": str(file), "title": f"Book {number}"})
            except Exception as failure:
                failures.append(failure)
            finally:
                client.close()

        threads = [threading.Thread(target=add, args=(first,)) for first in range(ADDING)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        if daemon.call("documents/list", limit=1)["total"] != BOOKS:
            raise RuntimeError("books are missing")
