"""Books and boards, with services on this machine; curl and newsboat beside them."""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from daemon import Client, Daemon
from services import FEED_ENTRIES, GROWTH, RARE, news_page
from written import line, median_of

POSTS = 100_000
FEEDS = 500
RULES = 20
FILLED = 50


class Services:
    """`services.py` in a process of its own."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "services.py")], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return json.loads(answer.read())


class Newsboat:
    """Every reload is a process, as it is for whoever has it run in the background."""

    def __init__(self, folder: Path, urls):
        folder.mkdir()
        (folder / "urls").write_text("".join(f"{url}\n" for url in urls))
        # Two at once, as the daemon asks one host.
        (folder / "config").write_text("reload-threads 2\nmax-items 0\n")
        self.command = ["newsboat", "-q", "-u", folder / "urls", "-c", folder / "cache.db", "-C", folder / "config"]
        self.environment = {**os.environ, "HOME": str(folder), "TERM": "dumb"}

    def run(self, *words):
        start = time.perf_counter()
        subprocess.run([*self.command, "-x", *words], env=self.environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


class Remote:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    # Subjects

    def books(self):
        with Services() as services, self.daemon("books", services) as daemon:
            beyond = self.search_beyond_curl(services, daemon)
            request = line("books/search", query="kept", catalogue="openLibrary")
            self.beside_echo(daemon, "a kept page of 20 books, cores free", request, 20)
        self.table.limit("a search of books beyond what curl takes for the same answer", beyond, "ms", 3)

    def search_beyond_curl(self, services, daemon):
        """Milliseconds. Open Library is asked a few times a second at most, so each search waits for its turn before."""
        ours, theirs = [], []
        for number in range(15):
            time.sleep(1.1)
            start = time.perf_counter()
            daemon.call("books/search", query=f"number {number}", catalogue="openLibrary")
            ours.append((time.perf_counter() - start) * 1e3)
            # The second of a process goes over the connection of the first, and after the same pause, as the daemon's do:
            # a processor that has rested is slow for everybody.
            url = f"{services.url}/search.json?q=number+{number}&limit=20"
            done = subprocess.run(
                ["curl", "-s", "--rate", "54/m", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{time_total}\n", url, url],
                check=True, stdout=subprocess.PIPE, text=True)
            theirs.append(float(done.stdout.split()[1]) * 1e3)
        return statistics.median(ours) - statistics.median(theirs)

    def boards(self):
        with Services() as services:
            self.feeds(services)
            self.long_board(services)
            self.articles(services)

    def feeds(self, services):
        """The same feeds for both: filled, and then asked again with nothing new."""
        filled, unchanged, ruled, theirs_filled, theirs_unchanged = [], [], [], [], []
        urls = [f"{services.url}/feeds/{number}.xml" for number in range(FEEDS)]
        most = 0
        for round in range(3):
            boat = Newsboat(self.bench.home / f"newsboat-{round}", urls)
            start = min(boat.run("print-unread") for _ in range(3))
            theirs_filled.append(boat.run("reload") - start)
            boat.run("reload")
            theirs_unchanged.append(boat.run("reload") - start)
            with self.daemon(f"feeds-{round}", services) as daemon:
                opml = self.bench.home / f"feeds-{round}.opml"
                opml.write_text(
                    "<opml version=\"2.0\"><body>" + "".join(f"<outline type=\"rss\" text=\"{n}\" xmlUrl=\"{url}\"/>"
                    for n, url in enumerate(urls)) + "</body></opml>")
                services.ask("/reset")
                filled.append(self.timed(lambda: self.import_feeds(daemon, opml)))
                # A host is asked 600 times in a row, then twenty times a second: here it hosts all feeds.
                time.sleep(26)
                unchanged.append(self.timed(lambda: daemon.call("boards/refresh")))
                most = max(most, services.ask("/count")["most"])
            with self.daemon(f"rules-{round}", services) as daemon:
                # Rules as people write them: most name a few words, and match few posts.
                for number in range(RULES):
                    daemon.call("boards/addRule", text=f"football{number} OR \"summer sale {number}\"", read=True)
                services.ask("/reset")
                ruled.append(self.timed(lambda: self.import_feeds(daemon, opml)))
        entries = FEEDS * FEED_ENTRIES
        each, theirs = (statistics.median(times) * 1e6 / entries for times in (filled, theirs_filled))
        self.table.ratio(f"get, parse and store {FEEDS} feeds, an entry", each, ("newsboat", theirs), "µs", most=1)
        with_rules = statistics.median(ruled) * 1e6 / entries
        self.table.ratio(f"the same with {RULES} rules", with_rules, ("without rules", each), "µs", most=1.1)
        again, theirs = (statistics.median(times) * 1e3 for times in (unchanged, theirs_unchanged))
        self.table.ratio(f"refresh {FEEDS} feeds with nothing new", again, ("newsboat", theirs), "ms", most=0.5)
        # The bench's own question is one of them.
        self.table.add("connections to their host meanwhile", f"{most - 1}", "", "", "≤ 2", most - 1 <= 2)

    def import_feeds(self, daemon, opml):
        daemon.call("boards/import", path=str(opml), format="opml")
        daemon.call("boards/refresh")
        total = sum(board["count"] for board in self.all_boards(daemon))
        if total != FEEDS * FEED_ENTRIES:
            raise RuntimeError(f"{total} posts came from the feeds")

    def all_boards(self, daemon):
        boards, after = [], {}
        while True:
            page = daemon.call("boards/list", limit=100, **after)
            boards += page["items"]
            if not page["hasMore"]:
                return boards
            after = {"after": page["next"]}

    def long_board(self, services):
        with self.daemon("board", services) as daemon:
            source = daemon.call("boards/addSource", kind="feed", url=f"{services.url}/growing.xml")["id"]
            for _ in range(POSTS // GROWTH):
                daemon.call("boards/refresh", source=source)
            board = self.all_boards(daemon)[0]["id"]
            pages = [self.ours(daemon, 50, line("boards/posts", board=board, offset=offset))
                     for offset in (0, POSTS // 2, POSTS - 60)]
            find = self.ours(daemon, 50, line("boards/search", board=board, query=RARE, target="contents"))
            total = daemon.call("boards/posts", board=board, limit=1)["total"]
            if total < POSTS:
                raise RuntimeError(f"the board has {total} posts")
            self.beside_echo(
                daemon, "a kept page of 30 posts, cores free", line("boards/posts", board=board), 30)
        self.table.limit(f"any page of a board of {POSTS:,} posts", max(pages), "ms", 5)
        self.table.limit("find a word in their contents", find, "ms", 30)

    def articles(self, services):
        """Articles of pages of the size that news have, taken out, stored and synced."""
        times = []
        with self.daemon("articles", services) as daemon:
            for number in range(20):
                page, url = news_page(number), f"https://site.example/{number}"
                times.append(self.timed(lambda: daemon.call("boards/keep", url=url, html=page)))
            kept = daemon.call("boards/posts", saved=True, limit=1)
            if kept["total"] != 20 or "Advertisement" in kept["items"][0]["preview"]:
                raise RuntimeError("the articles were not taken out")
        size = len(page.encode()) // 1024
        self.table.limit(f"keep an article from a page of {size} KiB", statistics.median(times) * 1e3, "ms", 30)

    def hostile(self):
        """What the daemon holds beyond what it held before, at most, while a feed of 1 GiB comes in."""
        with Services() as services, self.daemon("hostile", services) as daemon:
            daemon.call("boards/addSource", kind="feed", url=f"{services.url}/feeds/1.xml")
            time.sleep(1)
            before, most, done = daemon.resident(), 0, threading.Event()

            def watch():
                nonlocal most
                while not done.is_set():
                    most = max(most, daemon.resident())
                    time.sleep(0.002)

            watcher = threading.Thread(target=watch)
            watcher.start()
            try:
                daemon.call("boards/addSource", kind="feed", url=f"{services.url}/endless.xml")
                raise RuntimeError("a feed of 1 GiB was taken")
            except RuntimeError as error:
                if "tooLarge" not in str(error):
                    raise
            finally:
                done.set()
                watcher.join()
        self.table.limit("a feed of 1 GiB is refused, memory beyond idle", most - before, "MiB", 16)

    # Parts

    def beside_echo(self, daemon, what, request, least):
        """A round trip beside an echo that answers with as many bytes."""
        reply = self.reply_to(daemon, request)
        if len(json.loads(reply)["result"]["items"]) < least:
            raise RuntimeError(f"{what}: {reply[:200]}")
        with self.bench.echo(size=len(reply)) as echo:
            daemon.pin(self.bench.other_cores)
            echo.pin(self.bench.other_cores)
            ours, echoes = [], []
            for _ in range(5):
                echoes.append(self.roundtrip(echo.socket, request))
                ours.append(self.roundtrip(daemon.socket, request))
        daemon.pin(self.bench.every_core)
        self.table.ratio(what, statistics.median(ours), ("raw C echo", statistics.median(echoes)), "µs", most=8)

    def roundtrip(self, socket, request):
        return self.bench.run("load", "roundtrip", socket, 1_000, request, cores=self.bench.core)[0]

    def reply_to(self, daemon, request):
        client = Client(daemon.socket)
        client.socket.sendall(request.replace("@", "1").encode() + b"\n")
        reply = client.lines.readline()
        client.close()
        return reply

    def timed(self, action):
        return median_of(1, action) / 1e3

    def ours(self, daemon, count, request):
        """Milliseconds."""
        return self.bench.run("load", "roundtrip", daemon.socket, count, request)[0] / 1e3

    def daemon(self, name, services):
        daemon = Daemon(self.bench.binaries, self.bench.home / f"remote-{name}", self.bench.runtime)
        daemon.configure(
            f"[network]\nallow = [\"{services.url}\"]\n[books.openLibrary]\nurl = \"{services.url}\"\n"
            f"covers = \"{services.url}\"\n")
        return daemon
