"""One question to the whole library, beside recoll on the same files; what an index costs, beside FTS5's own tokenizer."""

import json
import random
import sqlite3
import statistics
import time
from datetime import date, timedelta
from pathlib import Path

from daemon import Daemon
from kept import kept
from made import Texts, book, plain_pdf
from pictures import timed
from recollq import Recoll

TEXTS = 20_000
RARE_WORDS = 100
ROUNDS = 3


def question(method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, ensure_ascii=False)


def percentile(times, share=0.95):
    return sorted(times)[int(len(times) * share)]


class Searching:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def daemon(self, name):
        return Daemon(self.bench.binaries, self.bench.home / name, self.bench.runtime)

    def ask(self, daemon, name, questions, rounds=5):
        """Milliseconds: the median, and what 95 of 100 stay below; of several rounds the middle one."""
        file = self.bench.home / name
        file.write_text("".join(f"{line}\n" for line in questions))
        runs = [self.bench.run("load", "asked", daemon.socket, file, cores=self.bench.core) for _ in range(rounds)]
        return tuple(statistics.median(times) / 1e3 for times in list(zip(*runs))[:2])

    # Beside recoll

    def searching(self):
        """Both sides take in the same files. Ours is `diary/import`, which besides keeps the texts, logs them so that the
        import can be undone, and makes all of it durable; `check --rebuild-index` would leave out to read the files and look
        through the library as well."""
        files = self.bench.home / "texts"
        texts = self.write(files)
        # Once: its minute is far longer than anything that comes between.
        recoll = Recoll(self.bench.home / "recoll", files)
        theirs = timed(recoll.make_index)
        ours = []
        for number in range(ROUNDS):
            with self.daemon(f"texts-{number}") as daemon:
                # So many are asked for twice: the first time a person sees what would come.
                entries = {"path": str(files), "format": "markdown"}
                sure = daemon.call("diary/import", dryRun=True, **entries)["confirm"]
                ours.append(timed(lambda: daemon.call("diary/import", confirm=sure, **entries)))
                if daemon.call("diary/list", limit=1)["total"] != TEXTS:
                    raise RuntimeError("texts are missing")
        self.table.ratio(
            f"index {TEXTS:,} texts of {Texts.WORDS} words, English and Korean", statistics.median(ours) / 1e3,
            ("recollindex", theirs / 1e3), "s", most=0.5)
        self.table.ratio(
            "the same on disk, texts and index", self.index_size(daemon) / 2**20, ("recoll", recoll.size() / 2**20), "MiB",
            most=1)
        with daemon:
            daemon.pin(self.bench.other_cores)
            for what, words, most in [
                (f"one of {RARE_WORDS} rare words", self.rare(texts), 1), ("a word in 75 % of them", self.common(texts), 4),
            ]:
                self.beside(daemon, recoll, what, words, most)

    def write(self, files):
        """Their names are days, which the diary goes by. The texts, in one line each."""
        files.mkdir()
        made, texts = Texts(), []
        for number in range(TEXTS):
            text = made.text(number)
            (files / f"{date(1960, 1, 1) + timedelta(number)}.md").write_text(text)
            texts.append(" " + text.replace("\n", " ") + " ")
        return texts

    def index_size(self, daemon):
        """Bytes of the tables of search: recoll's index, too, keeps a copy of each text."""
        with sqlite3.connect(f"file:{daemon.database}?mode=ro", uri=True) as database:
            return database.execute(
                "SELECT sum(pgsize) FROM dbstat WHERE aggregate = 1 AND (name LIKE 'search_entry%' OR name LIKE 'search_body%'"
                " OR name LIKE 'search_text%' OR name LIKE 'sqlite_autoindex_search_entry%')").fetchone()[0]

    def rare(self, texts):
        """Words of both languages that stand in 20 to 60 of the texts."""
        made = Texts()
        def some(words, text_of):
            found = (word for word in words[3_000:] if 20 <= self.share(text_of(word), texts) * TEXTS <= 60)
            return [next(found) for _ in range(RARE_WORDS // 2)]
        return some(made.english, " {} ".format) + some(made.korean, " {}".format)

    def common(self, texts):
        """The word of each language that stands in as near to three quarters of the texts as any."""
        made = Texts()
        def nearest(words, text_of):
            return min(words[:12], key=lambda word: abs(self.share(text_of(word), texts) - 0.75))
        return [nearest(made.english, " {} ".format), nearest(made.korean, " {}".format)]

    def share(self, part, texts):
        return sum(part in text for text in texts) / len(texts)

    def beside(self, daemon, recoll, what, words, most):
        """The top 20 with snippets, by a question each."""
        times = max(2, 200 // len(words))
        theirs = recoll.ask(words, times)
        for word, (_, found, shown) in zip(words, theirs):
            total = daemon.call("search/query", text=word, limit=200, remember=False)["total"]
            if shown != 20 or not 0.8 * min(found, 1_000) <= total <= 1.2 * found:
                raise RuntimeError(f"{word}: recoll finds {found} and shows {shown}, search/query finds {total}")
        questions = [question("search/query", text=word, limit=20, remember=False) for word in words]
        median, ours = self.ask(daemon, "questions", questions * times)
        theirs = [time for time, _, _ in theirs[len(words):]]
        self.table.limit(f"the top 20 of {what}, with snippets, p95", ours, "ms", most)
        self.table.ratio("the same", ours, ("recoll", percentile(theirs)), "ms", most=1)
        self.table.ratio("the same, p50", median, ("recoll", statistics.median(theirs)), "ms")

    # A million pages

    PAGES, DOCUMENTS = 1_000, 1_000

    def searching_million(self):
        """Words of the same frequency, so those that are rare here stand in hundreds of pages."""
        made = Texts()
        with self.million(made) as daemon:
            daemon.pin(self.bench.other_cores)
            total = daemon.call("documents/list", limit=1)["total"]
            if total != self.DOCUMENTS + 1:
                raise RuntimeError(f"{total} documents are in the library")
            rare = [word for words in (made.english, made.korean) for word in words[-RARE_WORDS // 2:]]
            common = self.common(self.some_pages(daemon))
            # What texts are ranked by is in memory then, and no page of theirs is still to be read from the disk: what a
            # reader has who has worked with the library for a few seconds.
            first = [question("search/query", text=word, limit=20, remember=False) for word in rare]
            _, cold = self.ask(daemon, "first", first, rounds=1)
            daemon.wait_for_rest()
            for what, words, most in [(f"one of {RARE_WORDS} rare words", rare, 2), ("a word in 75 % of them", common, 8)]:
                for word in words:
                    if len(daemon.call("search/query", text=word, limit=20, remember=False)["items"]) != 20:
                        raise RuntimeError(f"{word} is not found")
                questions = [question("search/query", text=word, limit=20, remember=False) for word in words]
                _, ours = self.ask(daemon, "questions", questions * (400 // len(words)))
                self.table.limit(f"the top 20 of {what} in 1,000,000 pages, with snippets, p95", ours, "ms", most)
            self.table.add(
                "the same of rare words, each for the first time, as soon as the daemon has started", f"{cold:.2f} ms",
                "", "", "", None)
            for what, beginnings, more in [
                ("a beginning of one letter, `b*`", [f"{letter}*" for letter in "bdfgklmnprstv"], {}),
                ("three letters of a word, at a key press", sorted({word[:3] for word in made.english[:200]}), {"view": "v"}),
            ]:
                for text in beginnings[:8]:
                    if not daemon.call("search/query", text=text, limit=20, remember=False, **more)["items"]:
                        raise RuntimeError(f"{text} is not found")
                questions = [question("search/query", text=text, limit=20, remember=False, **more) for text in beginnings]
                _, ours = self.ask(daemon, "questions", questions * (400 // len(questions) + 1))
                self.table.limit(f"the top 20 of {what}, in 1,000,000 pages, with snippets, p95", ours, "ms", 8)

    def some_pages(self, daemon):
        """Texts in one line each."""
        with sqlite3.connect(f"file:{daemon.database}?mode=ro", uri=True) as database:
            rows = database.execute(
                "SELECT body FROM search_entry AS entry CROSS JOIN search_body AS texts ON texts.rowid = entry.rowid"
                " WHERE part > 0 AND item LIKE '0192f000-%' ORDER BY entry.rowid LIMIT 2000")
            return [" " + body.replace("\n", " ") + " " for body, in rows]

    def million(self, made):
        """A daemon, not running, of so many documents with so many pages each. One of them comes in through the daemon,
        the others are copies of it by plain C with texts of their own (texts.c). It is made once, and kept."""
        def fill(daemon):
            words, file = self.bench.home / "words", self.bench.home / "thousand.pdf"
            made.write_words(words)
            # Of as many characters as 75 words of either language.
            page = [("x" * 53 if line % 2 == 0 else "x" * 40) for line in range(made.LINES)]
            file.write_bytes(book([page] * self.PAGES))
            with daemon:
                document = daemon.call("documents/add", path=str(file), title="A thousand pages")["id"]
                daemon.wait_until_read(document)
            self.bench.run("texts", "pages", daemon.database, document, words, self.DOCUMENTS, seconds=3_600)
        return kept(self.bench, "million", made.text(0).encode(), fill)

    # What a write costs

    def tokenizing(self):
        """Texts of a quarter to four kilobytes, each a durable transaction of the row and its index."""
        words = self.bench.home / "words"
        Texts().write_words(words)
        for kind, most in [("mixed", 1.25), ("english", None), ("korean", None)]:
            ours, theirs = [], []
            for number in range(ROUNDS):
                folder = self.bench.home / f"cost-{kind}-{number}"
                folder.mkdir()
                one, other = self.bench.run("texts", "cost", folder, words, kind, 2_000)
                ours.append(one)
                theirs.append(other)
            what = {"mixed": "a text of up to 4 kB, English and Korean, written and indexed", "english": "the same in English",
                    "korean": "the same in Korean"}[kind]
            self.table.ratio(what, statistics.median(ours), ("FTS5's unicode61", statistics.median(theirs)), "µs", most=most)

    # While somebody types

    TITLES = 100_000

    def suggesting(self):
        """Each key press of words from titles of the library, as a Korean keyboard composes them too."""
        made = Texts()
        titles = self.bench.home / "titles"
        titles.write_text("".join(f"{made.title(number)}\n" for number in range(self.TITLES)))
        daemon = self.bench.library(1).copy(self.bench.home / "titled", self.bench.runtime)
        self.bench.run("rows", "seed", daemon.database, self.bench.document, self.TITLES - 1, titles)
        typed = [stage for number in range(0, self.TITLES, self.TITLES // 200 + 1)
                 for stage in stages(" ".join(made.title(number).split()[:2]))]
        with daemon:
            if len(daemon.call("search/suggest", scope="library", text=made.title(1))["titles"]) < 1:
                raise RuntimeError("the titles are not found")
            daemon.pin(self.bench.other_cores)
            median, most = self.ask(
                daemon, "typed", [question("search/suggest", scope="library", text=text) for text in typed])
        self.table.limit(f"`search/suggest` at a key press, {self.TITLES:,} titles, p95", most, "ms", 3)
        self.table.add("the same, p50", f"{median:.2f} ms", "", "", "", None)

    # A long document

    LONG = 10_000

    def taking_in(self):
        """The daemon and its workers, shared memory once, above a daemon that has a warm worker ready."""
        made, chance = Texts(), random.Random(3)
        file = self.bench.made_file("long.pdf", lambda: book([
            [" ".join(chance.choices(made.english, cum_weights=made.sums, k=10)) for _ in range(30)]
            for _ in range(self.LONG)]))
        small = self.bench.made_file("small.pdf", lambda: plain_pdf(1))
        with self.daemon("long") as daemon:
            document = daemon.call("documents/add", path=str(small))["id"]
            daemon.wait_until_read(document)
            daemon.call("documents/render", id=document, page=0, width=1000)
            daemon.wait_for_spare()
            idle, alone = proportional(daemon), daemon.resident()
            most, most_alone = idle, alone
            document = daemon.call("documents/add", path=str(file))["id"]
            while daemon.call("documents/get", id=document)["state"] == "indexing":
                most, most_alone = max(most, proportional(daemon)), max(most_alone, daemon.resident())
                time.sleep(0.02)
        what = f"memory while {self.LONG:,} pages are indexed, beyond idle"
        self.table.limit(f"{what}, daemon and workers", most - idle, "MiB", 64)
        self.table.add("the same, the daemon alone", f"{most_alone - alone:.1f} MiB", "", "", "", None)


def proportional(daemon):
    """MiB of the daemon and its workers; what several of them share is counted once."""
    total = 0
    for pid in [daemon.process.pid, *daemon.workers()]:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(text.split("\nPss:")[1].split()[0]) / 1024
        except (OSError, IndexError):
            pass  # It has just ended.
    return total


def stages(text):
    """What stands in a field after each key press; of a Korean syllable its initial, then with its vowel, then whole."""
    initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
    for place, letter in enumerate(text):
        number = ord(letter) - 0xAC00
        if 0 <= number < 11_172:
            yield text[:place] + initials[number // 588]
            if number % 28:
                yield text[:place] + chr(0xAC00 + number // 28 * 28)
        if letter != " ":
            yield text[:place + 1]
