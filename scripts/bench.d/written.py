"""Diary and projects beside jrnl and Taskwarrior, all of them with 10,000 items."""

import contextlib
import json
import os
import statistics
import subprocess
import threading
import time
from datetime import date, datetime, timedelta
from pathlib import Path

from daemon import Client, Daemon

ENTRIES = 10_000
WORDS = ["river", "letter", "garden", "train", "weather", "window", "market", "supper", "morning", "neighbour"]
# In one entry of two hundred.
RARE = "lighthouse"
# On every card.
TAG = "home"


def line(method, **params):
    """A request of the load generator, where @ is a number that counts up."""
    return json.dumps({"jsonrpc": "2.0", "id": "@", "method": method, "params": params}).replace('"@"', "@", 1)


def median_of(count, action):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def percentile(times, rank):
    return sorted(times)[min(len(times) - 1, len(times) * rank // 100)]


class Waits:
    """How long another client waits for a request, each millisecond: a hundred times before, and meanwhile."""

    def __init__(self, request):
        self.request, self.during = request, []
        self.before = [self.time() for _ in range(100)]

    def time(self):
        start = time.perf_counter()
        self.request()
        wait = (time.perf_counter() - start) * 1e3
        time.sleep(0.001)
        return wait

    @contextlib.contextmanager
    def meanwhile(self):
        done = threading.Event()

        def go_on():
            while not done.is_set():
                self.during.append(self.time())

        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


class Entries:
    """The same entries for both diaries: one every thirty hours, so that every day of the year has several."""

    def __init__(self):
        start = datetime(1990, 1, 1, 9)
        self.all = []
        for number in range(ENTRIES):
            words = " ".join(WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(40))
            rare = f" {RARE}" if number % 200 == 0 else ""
            self.all.append((start + timedelta(hours=30 * number), f"Day {number} of it", f"{words}{rare}."))

    def write_sample(self, path):
        """The seeds' sample format."""
        path.write_text(json.dumps([
            {"title": title, "body": body, "created_at": int(at.timestamp())} for at, title, body in self.all]))

    def write_jrnl(self, path):
        path.write_text("".join(f"[{at:%Y-%m-%d %H:%M}] {title}\n{body}\n\n" for at, title, body in self.all))


class Jrnl:
    def __init__(self, folder: Path, tools: Path):
        environment = tools / "jrnl"
        self.program = environment / "bin/jrnl"
        if not self.program.exists():
            subprocess.run(["python3", "-m", "venv", environment], check=True)
            subprocess.run([environment / "bin/pip", "install", "-q", "jrnl"], check=True)
        folder.mkdir()
        self.journal = folder / "journal.txt"
        self.configuration = folder / "jrnl.yaml"
        self.configuration.write_text(
            f"journals:\n  default: {self.journal}\neditor: ''\nencrypt: false\ntemplate: false\n"
            "default_hour: 9\ndefault_minute: 0\ntimeformat: '%F %H:%M'\ntagsymbols: '#@'\nhighlight: false\n"
            "linewrap: 79\nindent_character: '|'\nversion: v4.2\ncolors:\n  body: none\n  date: none\n  tags: none\n"
            "  title: none\n")
        self.environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}

    def run(self, *words):
        done = subprocess.run(
            [self.program, "--config-file", self.configuration, *words], env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(f"jrnl {words}: {done.stderr}")
        return done.stdout


class Taskwarrior:
    def __init__(self, folder: Path):
        folder.mkdir()
        configuration = folder / "taskrc"
        configuration.write_text(f"data.location={folder}\nconfirmation=no\nverbose=nothing\n")
        self.environment = {**os.environ, "TASKRC": str(configuration), "HOME": str(folder)}
        self.folder = folder

    def run(self, *words):
        return subprocess.run(
            ["task", *map(str, words)], env=self.environment, text=True, check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def tasks(count, today):
    """Cards as Taskwarrior has them; half of them are overdue."""
    for number in range(count):
        due = today + timedelta(days=number % 60 - 30)
        yield {
            "uuid": f"0192f000-0000-7000-8000-{number:012x}", "status": "pending",
            "description": f"Card {number}: {WORDS[number % len(WORDS)]} and {WORDS[number * 3 % len(WORDS)]}",
            "entry": "20260101T090000Z", "due": f"{due:%Y%m%d}T235900Z", "tags": [TAG]}


class Written:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def diary(self):
        entries = Entries()
        file = self.bench.home / "sample.json"
        entries.write_sample(file)
        jrnl = Jrnl(self.bench.home / "jrnl", self.bench.programs)
        entries.write_jrnl(jrnl.journal)
        rates, _, _ = map(statistics.median, zip(*(self.import_entries(file, number) for number in range(5))))
        watched, before, meanwhile = map(
            statistics.median, zip(*(self.import_entries(file, number, is_watched=True) for number in range(5, 10))))
        self.table.add(
            f"import {ENTRIES:,} entries", f"{rates:,.0f} entries/s", "", "", "≥ 20,000 entries/s", rates >= 20_000)
        self.table.ratio("a read of another client meanwhile, each ms, p50", meanwhile, ("before", before), "ms")
        self.table.add("the import beside those reads", f"{watched:,.0f} entries/s", "", "", "", None)
        with self.daemon("diary") as daemon:
            daemon.call("diary/import", path=str(file), format="sample")
            add = self.ours(daemon, 500, line("diary/add", text="A walk along the river, the @th."))
            find = self.ours(daemon, 200, line("diary/list", query=RARE))
            total = daemon.call("diary/list", query=RARE)["total"]
            day = self.ours(daemon, 200, line("diary/onThisDay", day="2026-03-09"))
            month = self.ours(daemon, 200, line("diary/calendar", month="2026-03"))
        theirs = median_of(5, lambda: jrnl.run("A walk along the river."))
        search = median_of(5, lambda: jrnl.run("-contains", RARE, "--short"))
        if not ENTRIES / 200 == total == len(jrnl.run("-contains", RARE, "--short").strip().splitlines()):
            raise RuntimeError(f"jrnl and diary/list do not find the same: {total}")
        self.table.ratio("add one entry, durable", add, ("jrnl", theirs), "ms", most=0.001)
        self.table.ratio(f"find a word in {ENTRIES:,} entries", find, ("jrnl -contains", search), "ms", most=0.02)
        self.table.limit(f"`diary/onThisDay`, {ENTRIES:,} entries", day, "ms", 5)
        self.table.limit(f"`diary/calendar`, {ENTRIES:,} entries", month, "ms", 5)

    def projects(self):
        today = date.today()
        task = Taskwarrior(self.bench.home / "task")
        few, many = self.bench.home / "tasks.json", self.bench.home / "many.json"
        few.write_text(json.dumps(list(tasks(ENTRIES, today))))
        many.write_text(json.dumps(list(tasks(50_000, today))))
        task.run("import", few)
        with self.daemon("projects") as daemon:
            daemon.call("projects/import", path=str(few), format="taskwarrior")
            overdue = daemon.call("projects/list", overdue=True)["total"]
            if overdue != int(task.run("+OVERDUE", "count")):
                raise RuntimeError(f"Taskwarrior counts other cards as overdue than {overdue}")
            add = self.ours(daemon, 500, line("projects/add", title="Return the book, the @th"))
            late = self.ours(daemon, 200, line("projects/list", overdue=True))
            theirs = median_of(15, lambda: task.run("add", "Return the book", "due:today"))
            shell = median_of(15, lambda: self.call(daemon, "projects/add", "title=Return the book"))
            counted = median_of(15, lambda: task.run("+OVERDUE", "count"))
        renamed, alone, meanwhile = self.rename_tag(few)
        with self.daemon("board") as daemon:
            sure = daemon.call("projects/import", path=str(many), format="taskwarrior", dryRun=True)["confirm"]
            daemon.call("projects/import", path=str(many), format="taskwarrior", confirm=sure)
            board = self.ours(daemon, 50, line("projects/board"))
            month = self.ours(daemon, 50, line("projects/agenda", days=31))
        self.table.ratio("add one card, durable", add, ("task add", theirs), "ms", most=0.02)
        self.table.ratio("the same by `commonplace call`", shell, ("task add", theirs), "ms", most=0.7)
        self.table.ratio(
            f"list what is overdue of {ENTRIES:,} cards", late, ("task +OVERDUE count", counted), "ms", most=0.05)
        self.table.limit("`projects/board` of 50,000 cards", board, "ms", 30)
        self.table.limit("`projects/agenda` of 31 days, 50,000 cards", month, "ms", 5)
        self.table.limit(f"`tags/rename` on {ENTRIES:,} cards", renamed, "s", 1)
        self.table.ratio("a write of another client meanwhile, each ms, p99", meanwhile, ("before", alone), "ms")

    def rename_tag(self, file):
        """Seconds; and what a write of another client takes before and meanwhile, p99 in milliseconds."""
        with self.daemon("tags") as daemon:
            daemon.call("projects/import", path=str(file), format="taskwarrior")
            other = Client(daemon.socket)
            waits = Waits(lambda: other.call("diary/add", {"text": "A walk along the river."}))
            times, names = [], [TAG, "house"]
            with waits.meanwhile():
                for _ in range(5):
                    start = time.perf_counter()
                    changed = daemon.call("tags/rename", **dict(zip(("from", "to"), names)))["count"]
                    times.append(time.perf_counter() - start)
                    names.reverse()
                    if changed != ENTRIES:
                        raise RuntimeError(f"tags/rename changed {changed}")
            other.close()
        return statistics.median(times), percentile(waits.before, 99), percentile(waits.during, 99)

    def import_entries(self, file, number, is_watched=False):
        """Entries a second; and how long another client waits for a read, before and meanwhile, in milliseconds."""
        with self.daemon(f"import-{number}") as daemon:
            other = Client(daemon.socket)
            waits = Waits(lambda: other.call("diary/list", {"limit": 1}))
            with waits.meanwhile() if is_watched else contextlib.nullcontext():
                start = time.perf_counter()
                report = daemon.call("diary/import", path=str(file), format="sample")
                seconds = time.perf_counter() - start
            other.close()
            if daemon.call("diary/list", limit=1)["total"] != ENTRIES:
                raise RuntimeError(f"the import took {report}")
        return ENTRIES / seconds, statistics.median(waits.before), statistics.median(waits.during or [0])

    def daemon(self, name):
        return Daemon(self.bench.binaries, self.bench.home / name, self.bench.runtime)

    def ours(self, daemon, count, request):
        """Milliseconds."""
        return self.bench.run("load", "roundtrip", daemon.socket, count, request)[0] / 1e3

    def call(self, daemon, *words):
        subprocess.run(
            [daemon.binary, "call", "--socket", daemon.socket, *words], env=daemon.environment, check=True,
            stdout=subprocess.DEVNULL)
