"""The page in Chromium: first screens, page turns, memory; and the bridge beside raw sockets."""

import base64
import http.server
import json
import os
import re
import secrets
import socket
import statistics
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from datetime import date
from pathlib import Path

import made
from browser import Browser
from daemon import pin
from remote import Services
from services import GROWTH
from written import WORDS, Entries, tasks

ROUNDS = 5
# What has to be seen of each screen.
SCREENS = {
    "today": ".today-due .due-card", "documents": "cp-shelf .cp-row .tile-title", "boards": "cp-boards .sources a",
    "diary": ".calendar td", "projects": ".column .card-title", "books": "cp-books .book-tabs button",
    "search": "cp-search .search-help", "library": ".commit-row",
}
DENSE_PAGES = 300
TURNS = 40
FAR = 37
LINES = 52
# Items of each collection but documents.
EACH = 10_000
# Pixels.
SCREEN = 800
SHOWN = "while (!document.querySelector('%s')) await new Promise(requestAnimationFrame);"
# The time origin is the navigation, so that the connection and all modules are counted.
WATCH = """
window.seen = new Promise((resolve) => {
  const look = () => (document.querySelector(%s)?.checkVisibility()
    ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look));
  look();
});
"""
# Milliseconds until the picture of a page is on the screen, so many pages after this one, and until its text is.
TURN = """
const pages = document.querySelector('cp-pages');
const wanted = (pages.page + arguments[0]) % pages.count;
const begin = performance.now();
const until = (condition) => new Promise((resolve) => {
  const look = () => (condition() ? resolve(performance.now() - begin) : requestAnimationFrame(look));
  look();
});
const page = () => pages.querySelector(`[data-page="${wanted}"]`);
pages.goTo({ page: wanted, y: 0 });
const picture = until(() => page()?.classList.contains('is-drawn') && page().querySelector('img').complete);
const text = until(() => page()?.querySelector('.text-layer span'));
const times = [await picture, await text];
await new Promise((resolve) => setTimeout(resolve, 400));
return times;
"""
# The same in pdf.js' viewer.
TURN_PDF_JS = """
const { pdfViewer } = PDFViewerApplication;
const wanted = (pdfViewer.currentPageNumber - 1 + arguments[0]) % pdfViewer.pagesCount;
const begin = performance.now();
const until = (condition) => new Promise((resolve) => {
  const look = () => (condition() ? resolve(performance.now() - begin) : requestAnimationFrame(look));
  look();
});
const page = pdfViewer.getPageView(wanted);
pdfViewer.currentPageNumber = wanted + 1;
const picture = until(() => page.renderingState === 3);
const text = until(() => page.textLayer?.renderingDone);
const times = [await picture, await text];
await new Promise((resolve) => setTimeout(resolve, 400));
return times;
"""
# Opens a file in it, as wide on the screen as ours.
OPEN_PDF_JS = """
await PDFViewerApplication.initializedPromise;
const { pdfViewer } = PDFViewerApplication;
while (!pdfViewer.pagesCount || pdfViewer.getPageView(0).renderingState !== 3) {
  await new Promise(requestAnimationFrame);
}
pdfViewer.currentScale *= arguments[0] / pdfViewer.getPageView(0).div.clientWidth;
while (pdfViewer.getPageView(0).renderingState !== 3) await new Promise(requestAnimationFrame);
"""
# Milliseconds from each key press to its hits.
WATCH_KEYS = """
window.presses = [];
document.addEventListener('keydown', ({ key, timeStamp }) => {
  const before = document.querySelector('.palette [role=option]');
  if (!before || key.length !== 1) return;
  window.pressed = new Promise((resolve) => {
    const look = () => {
      const first = document.querySelector('.palette [role=option]');
      if (first && first !== before) resolve(window.presses.push(performance.now() - timeStamp));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}, true);
"""
PRESSED = "await window.pressed;"
CLEAR = """
const field = document.querySelector('.palette-field');
const before = document.querySelector('.palette [role=option]');
field.value = '';
field.dispatchEvent(new Event('input'));
while ((document.querySelector('.palette [role=option]') ?? before) === before) await new Promise(requestAnimationFrame);
"""
# When a card of this title is on the screen, in milliseconds since 1970.
WATCH_TITLE = """
const title = arguments[0];
window.appeared = new Promise((resolve) => {
  const look = () => ([...document.querySelectorAll('.card-title')].some(({ textContent }) => textContent === title)
    ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look));
  look();
});
"""
# Milliseconds until a picture of another server has been fetched and decoded.
PICTURE = """
const begin = performance.now();
const image = new Image();
image.src = URL.createObjectURL(await (await fetch('/', { cache: 'no-store' })).blob());
await image.decode();
return performance.now() - begin;
"""
# Scrolls on by so many pixels a frame: the longest frame, and the share of frames with an empty page in view.
SCROLL = """
const pages = document.querySelector('cp-pages');
let last = performance.now();
let longest = 0;
let gaps = 0;
let frames = 0;
pages.goTo({ page: 0, y: 0 });
await new Promise((resolve) => {
  const step = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    frames += 1;
    const [first, end] = pages.visible;
    for (let page = first; page <= end; page += 1) {
      if (!pages.querySelector(`[data-page="${page}"].is-drawn`)) { gaps += 1; break; }
    }
    pages.scrollTop += arguments[0];
    if (frames === arguments[1]) resolve();
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
});
return [longest, gaps / frames];
"""
# How many lines of text are in the document.
LINES_SHOWN = "return document.querySelectorAll('.text-layer span').length;"


class Bridge:
    """`commonplace web` before a daemon that runs."""

    def __init__(self, daemon):
        command = [str(daemon.binary), "web", "--port", "0", "--library", str(daemon.library), "--socket",
                   str(daemon.socket)]
        self.process = subprocess.Popen(
            command, env=daemon.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        found = next(filter(None, (re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", line)
                                   for line in self.process.stdout)))
        self.port, self.token = int(found[1]), found[2]
        self.origin = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    def pin(self, cores):
        pin(self.process.pid, cores)

    def sign_in(self):
        """A cookie, for one token."""
        request = urllib.request.Request(
            self.origin + "/session", data=self.token.encode(), headers={"Origin": self.origin}, method="POST")
        with urllib.request.urlopen(request) as reply:
            self.cookie = reply.headers["Set-Cookie"].split(";")[0]

    def file(self, method, **params):
        query = urllib.parse.urlencode({"method": method, "params": json.dumps(params)})
        return f"{self.origin}/file?{query}"


class PageSocket:
    """The WebSocket of a page: one JSON message each way."""

    def __init__(self, bridge):
        self.socket = socket.create_connection(("127.0.0.1", bridge.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((
            f"GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:{bridge.port}\r\nOrigin: {bridge.origin}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {bridge.cookie}\r\n\r\n").encode())
        self.lines = self.socket.makefile("rb")
        while self.lines.readline().strip():
            pass

    def send(self, text):
        length = bytes([len(text) | 0x80]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        # A mask of zeros leaves the text as it is.
        self.socket.sendall(b"\x81" + length + bytes(4) + text)

    def receive(self):
        size = self.lines.read(2)[1]
        size = int.from_bytes(self.lines.read({126: 2, 127: 8}[size]), "big") if size > 125 else size
        return self.lines.read(size)


class LineSocket:
    """The daemon's own socket, in the same language."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def send(self, text):
        self.socket.sendall(text + b"\n")

    def receive(self):
        return self.lines.readline()


class Sendfile:
    """A server that answers every request with one file by `sendfile`, as nginx does: the raw limit."""

    def __init__(self, path):
        self.path = path
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection, open(self.path, "rb") as file:
            connection.recv(65536)
            size = os.fstat(file.fileno()).st_size
            connection.sendall((
                f"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: {size}\r\n"
                "Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n").encode())
            connection.sendfile(file)

    def close(self):
        self.listener.close()


def dense_pdf(pages, lines):
    """Pages that are full of text."""
    text = "It was a slow river and a wide one, and nobody who had walked along it was in a hurry."
    return made.book([[f"{page}.{line} {text}" for line in range(lines)] for page in range(pages)])


def exchange(connection, count):
    """Microseconds of a `session/ping`, median; the first ones warm up."""
    times = []
    for number in range(count + 50):
        text = b'{"jsonrpc":"2.0","id":%d,"method":"session/ping"}' % number
        start = time.perf_counter()
        connection.send(text)
        while b'"id":%d' % number not in connection.receive():
            pass
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times[50:])


def download(url, cookie):
    """MB/s."""
    request = urllib.request.Request(url, headers={"Cookie": cookie})
    start, size = time.perf_counter(), 0
    buffer = bytearray(1 << 18)
    with urllib.request.urlopen(request) as reply:
        while count := reply.readinto(buffer):
            size += count
    return size / 1e6 / (time.perf_counter() - start)


class PDFjs:
    """The viewer of Debian's package, and one file, on a server of their own."""

    def __init__(self, viewer, file):
        folder = viewer.parent.parent

        class Handler(http.server.SimpleHTTPRequestHandler):
            def translate_path(self, path):
                path = urllib.parse.urlsplit(path).path
                return str(file if path == "/file.pdf" else folder / path.lstrip("/"))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/web/viewer.html?file=/file.pdf"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Page:
    """`bench` has the libraries; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def page(self):
        with Services() as services:
            daemon = self.library(services)
            folder = self.bench.home / "browser"
            with Browser(folder) as browser:
                self.cold_start(daemon, browser)
                with daemon, Bridge(daemon) as bridge:
                    browser.open(f"{bridge.origin}/#token={bridge.token}")
                    browser.run(SHOWN % ".screen")
                    self.screens(bridge, browser)
                    self.search(bridge, browser)
                    self.changes(daemon, bridge, browser)
                    dense = self.bench.made_file("dense.pdf", lambda: dense_pdf(DENSE_PAGES, LINES))
                    long = self.bench.files["long"][0]
                    documents = self.bench.add(daemon, [dense, long])
                    self.reader(daemon, bridge, browser, dense, documents[dense]["id"])
                    self.book(bridge, browser, documents[long]["id"])

    def library(self, services):
        """A daemon, not running, with 100,000 items: documents, and 10,000 of each other collection."""
        daemon = self.bench.library(60_000)
        daemon.configure(f"[network]\nallow = [\"{services.url}\"]\n")
        home = self.bench.home
        entries, cards, books = home / "page-entries.json", home / "page-cards.json", home / "page-books.csv"
        Entries().write_sample(entries)
        cards.write_text("\n".join(map(json.dumps, tasks(EACH, date.today()))))
        books.write_text("title,author\n" + "".join(f"Volume {number},Writer {number % 999}\n" for number in range(EACH)))
        with daemon:
            daemon.call("diary/import", path=str(entries), format="sample")
            daemon.call("projects/import", path=str(cards), format="taskwarrior")
            daemon.call("books/import", path=str(books), format="csv")
            source = daemon.call("boards/addSource", kind="feed", url=f"{services.url}/growing.xml")["id"]
            for _ in range(EACH // GROWTH):
                daemon.call("boards/refresh", source=source)
            counts = [daemon.call(method, limit=1)["total"]
                      for method in ("diary/list", "projects/list", "books/shelf", "boards/posts")]
            if min(counts) < EACH:
                raise RuntimeError(f"the library has {counts} entries, cards, books, posts")
        return daemon

    def bridge(self):
        daemon = self.bench.library(10_000)
        with daemon, Bridge(daemon) as bridge:
            bridge.sign_in()
            self.messages(daemon, bridge)
            self.files(daemon, bridge)

    def cold_start(self, daemon, browser):
        """From a daemon and a bridge that have just started, and nothing kept by the browser."""
        script = browser.devtools(
            "Page.addScriptToEvaluateOnNewDocument", source=WATCH % json.dumps(SCREENS["today"]))["identifier"]
        times = []
        for _ in range(ROUNDS):
            with daemon, Bridge(daemon) as bridge:
                browser.devtools("Network.clearBrowserCache")
                browser.open("about:blank")
                browser.open(f"{bridge.origin}/#token={bridge.token}")
                times.append(browser.run("return window.seen;"))
        browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        self.table.limit("the page until today's due cards, all of it just started, 100,000 items",
                         statistics.median(times), "ms", 300)

    def screens(self, bridge, browser):
        """A page that is loaded anew at each screen's address, until its content is painted."""
        script = None
        for name, selector in SCREENS.items():
            times = []
            for _ in range(ROUNDS):
                if script:
                    browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
                script = browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", source=WATCH % json.dumps(selector))["identifier"]
                # An address that differs only in its fragment is no load.
                browser.open("about:blank")
                browser.open(f"{bridge.origin}/#/{name}")
                times.append(browser.run("return window.seen;"))
            self.table.limit(f"the page at `{name}` until its first screen, 100,000 items", statistics.median(times),
                             "ms", 300)
        browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def search(self, bridge, browser):
        """A word typed into the palette, key by key."""
        browser.open(f"{bridge.origin}/#/library")
        browser.run(SHOWN % ".commit-row")
        browser.run(WATCH_KEYS)
        browser.press("k", "\ue009")
        browser.run(SHOWN % ".palette-field")
        for word in WORDS:
            browser.run(CLEAR)
            for key in word[:4]:
                browser.press(key)
                browser.run(PRESSED)
        times = browser.run("return window.presses;")
        self.table.limit("key press to hits on the screen, 100,000 items, p50", statistics.median(times), "ms", 50)
        self.table.add("the same, p95", f"{sorted(times)[len(times) * 95 // 100]:.1f} ms", "", "", "", None)

    def changes(self, daemon, bridge, browser):
        """A card that another client renames, until it is on the screen: both read the same clock."""
        card = next(column["items"][0]["id"] for column in daemon.call("projects/board")["columns"] if column["items"])
        browser.open("about:blank")
        browser.open(f"{bridge.origin}/#/projects")
        browser.run(SHOWN % ".card-title")
        times = []
        for number in range(TURNS):
            title = f"Renamed for the {number}th time"
            browser.run(WATCH_TITLE, title)
            start = time.time() * 1e3
            daemon.call("projects/update", id=card, title=title)
            times.append(browser.run("return window.appeared;") - start)
        self.table.limit("another client's change until it is on the screen, p50", statistics.median(times), "ms", 50)

    def reader(self, daemon, bridge, browser, file, document):
        raw = Sendfile(Path(daemon.call("documents/render", id=document, page=0, width=1000)["path"]))
        browser.open(raw.origin + "/")
        bare = [browser.run(PICTURE) for _ in range(TURNS)]
        raw.close()
        browser.open(f"{bridge.origin}/#/documents/{document}")
        browser.run(SHOWN % ".page.is-drawn")
        turns, texts = zip(*(browser.run(TURN, 1) for _ in range(TURNS)))
        jumps, far_texts = zip(*(browser.run(TURN, FAR) for _ in range(TURNS)))
        longest, gaps = browser.run(SCROLL, 60, 600)
        width = browser.run("return document.querySelector('.page.is-drawn').clientWidth;")
        with PDFjs(self.bench.files["viewer"], file) as viewer:
            browser.open(viewer.url)
            browser.run(OPEN_PDF_JS, width)
            theirs, their_texts = zip(*(browser.run(TURN_PDF_JS, 1) for _ in range(TURNS)))
            their_jumps, their_far_texts = zip(*(browser.run(TURN_PDF_JS, FAR) for _ in range(TURNS)))
        median = statistics.median
        self.table.limit("the next page on the screen, a dense paper, p50", median(turns), "ms", 50)
        # Both have it drawn ahead: what is compared is the page that neither has.
        self.table.ratio("the same", median(turns), ("pdf.js", median(theirs)), "ms")
        self.table.limit("its text, p50", median(texts), "ms", 100)
        self.table.ratio("the same", median(texts), ("pdf.js", median(their_texts)), "ms")
        self.table.ratio("a page far from it, p50", median(jumps), ("pdf.js", median(their_jumps)), "ms", most=0.5)
        self.table.ratio("its text, p50", median(far_texts), ("pdf.js", median(their_far_texts)), "ms", most=0.5)
        self.table.ratio("the next page, p95", sorted(turns)[TURNS * 95 // 100],
                         ("a picture by sendfile, decoded", median(bare)), "ms")
        self.table.limit("the longest frame while dense pages scroll by, 60 px a frame", longest, "ms", 50)
        self.table.add("frames of those with an empty page in view", f"{gaps:.1%}", "", "", "≤ 1%", gaps <= 0.01)

    def book(self, bridge, browser, document):
        """A whole book of 2,415 pages scrolls by, a screen a frame."""
        browser.open("about:blank")
        browser.open(f"{bridge.origin}/#/documents/{document}")
        browser.run(SHOWN % ".page.is-drawn")
        frames = browser.run("return Math.ceil(document.querySelector('cp-pages').scrollHeight / arguments[0]);", SCREEN)
        longest, _ = browser.run(SCROLL, SCREEN, frames)
        self.table.limit("the longest frame while a book of 2,415 pages scrolls by", longest, "ms", 50)
        self.table.limit("lines of text in the document after that", browser.run(LINES_SHOWN), "", 12 * LINES)
        self.table.limit("resident, the tab after that", browser.resident(), "MiB", 300)

    def messages(self, daemon, bridge):
        page, own = PageSocket(bridge), LineSocket(daemon.socket)
        greeting = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}).encode()
        for each in (page, own):
            each.send(greeting)
            while b'"id":0' not in each.receive().replace(b" ", b""):
                pass
        for place, cores, most in [("on one core", self.bench.core, 60), ("cores free", self.bench.other_cores, None)]:
            for each in (daemon, bridge):
                each.pin(cores)
            os.sched_setaffinity(0, self.bench.core)
            ours, theirs, beyond = [], [], []
            for _ in range(ROUNDS):
                theirs.append(exchange(own, 1_000))
                ours.append(exchange(page, 1_000))
                beyond.append(ours[-1] - theirs[-1])
            os.sched_setaffinity(0, self.bench.every_core)
            self.table.ratio(f"`session/ping` by `/rpc`, {place}", statistics.median(ours),
                             ("the daemon's socket", statistics.median(theirs)), "µs")
            self.table.limit("the same, beyond the socket", statistics.median(beyond), "µs", most)
        for each in (daemon, bridge):
            each.pin(self.bench.every_core)

    def files(self, daemon, bridge):
        large = self.bench.made_file("large.pdf", lambda: made.plain_pdf(1) + b"%" + bytes(200 << 20))
        document = self.bench.add(daemon, [large])[large]["id"]
        raw = Sendfile(large)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(download(raw.origin + "/", ""))
            ours.append(download(bridge.file("documents/get", id=document) + "&member=file", bridge.cookie))
        raw.close()
        self.table.ratio("`/file` of 200 MB", statistics.median(ours), ("sendfile", statistics.median(theirs)), "MB/s",
                         least=0.5)
