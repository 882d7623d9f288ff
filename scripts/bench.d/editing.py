"""Texts in an editor: what a key, a jump and a save cost, in a text of 2,000 lines and a library of 100,000 titles."""

import json
import multiprocessing
import time
from pathlib import Path

import sourcekit
from daemon import Client

LINES = 2_000
CARDS = 2_000
ROUNDS = 100
FILE = "file:///tmp/notes.md"
BOARD = "commonplace:///text/projects/board.md"


def title(number):
    """Of a seeded library (rows.c)."""
    return f"Collected letters, part {number * 37 % 99_000}"


class Editing:
    """`bench` has the library; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def editing(self):
        with self.bench.library(100_000).copy(self.bench.home / "editing", self.bench.runtime) as daemon:
            for number in range(CARDS):
                daemon.call("projects/add", title=f"Card {number} of the plan", deadline=None)
            daemon.wait_for_rest()
            editor = Editor(daemon.socket)
            self.ping = editor.times(lambda _: ("session/ping", {}))
            self.prose(editor)
            self.flood(daemon, editor)
            self.live(daemon)
            self.board(daemon, editor)
            editor.close()

    def row(self, what, milliseconds, most, beside="the socket's ping"):
        """The 95th percentile, beside a ping of the same connection."""
        milliseconds, ping = percentile(milliseconds), percentile(self.ping)
        self.table.add(what, f"{milliseconds:.2f} ms", f"{beside} {ping:.2f} ms", f"{milliseconds / ping:.1f} ×",
                       f"≤ {most:g} ms", milliseconds <= most)

    def prose(self, editor):
        lines = [f"{number}. A line about [[{title(number)}]] and the year after it." for number in range(LINES)]
        editor.open(FILE, "\n".join(lines) + "\n")
        at = {"uri": FILE}

        def place(round, character):
            return {"textDocument": at, "position": {"line": round * 19 % LINES, "character": character}}

        def changed(round):
            editor.change(FILE, round * 19 % LINES, 0, 0, "x")

        # A change has no reply: a hundred, and a ping that is answered after them.
        changes = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            for number in range(100):
                changed(number)
            editor.call("session/ping", {})
            changes.append((time.perf_counter() - start) * 1e3 / 100)
        self.row("a key in a text of 2,000 lines, p95", changes, 0.3)

        def complete(round):
            line = round * 19 % LINES
            editor.change(FILE, line, 0, 0, f"[[lett{'ers'[:round % 4]}")
            return "textDocument/completion", place(round, 6 + round % 4)

        def complete_any(round):
            line = round * 19 % LINES
            editor.change(FILE, line, 0, 0, "[[")
            return "textDocument/completion", place(round, 2)

        titles, peer = editor.times(complete), sourcekit.completions(self.bench.home / "numbers")
        self.row("completing a title of 100,000, p95", titles, 10)
        self.row("the same of which nothing is typed, p95", editor.times(complete_any), 10)
        self.table.add(
            "completing a title, where sourcekit-lsp completes the members of an array, p95",
            f"{percentile(titles):.2f} ms", f"sourcekit-lsp {percentile(peer):.0f} ms",
            f"{percentile(peer) / percentile(titles):.0f} × faster", "≥ 1 × faster", percentile(titles) <= percentile(peer))
        self.row("hovering over a link, p95", editor.times(lambda round: (
            "textDocument/hover", place(round * 7 + 1, 40))), 5)
        self.row("from a link to its text, p95", editor.times(lambda round: (
            "textDocument/definition", place(round * 7 + 1, 40))), 5)
        self.row("`workspace/symbol` of 100,000, p95", editor.times(lambda round: (
            "workspace/symbol", {"query": f"letters {round % 10}{round % 7}"})), 10)

        def actions(round):
            where = place(round * 7 + 1, 3)["position"]
            return "textDocument/codeAction", {
                "textDocument": at, "range": {"start": where, "end": where}, "context": {"diagnostics": []}}

        self.row("the actions of a line, p95", editor.times(actions), 10)
        quiet = []
        # Those of earlier keys have come.
        time.sleep(0.5)
        editor.call("session/ping", {})
        for round in range(20):
            editor.change(FILE, round * 19, 0, 0, "commonplace:/projects/none ")
            start = time.perf_counter()
            editor.await_message("textDocument/publishDiagnostics")
            quiet.append((time.perf_counter() - start) * 1e3)
        self.row("diagnostics after the last key, p95", quiet, 170)

    def flood(self, daemon, editor):
        """What 10,000 keys leave behind, and what they are to another client while they come."""
        before = daemon.resident_at_rest()
        for number in range(10_000):
            editor.change(FILE, number * 19 % LINES, 0, 1 if number % 2 else 0, "" if number % 2 else "x")
        editor.call("session/ping", {})
        self.table.limit("growth after 10,000 keys in a text of 2,000 lines", daemon.resident_at_rest() - before, "MiB", 2)
        other = Editor(daemon.socket)
        other.open(FILE + "2", "[[lett\n")

        def complete(_):
            return "textDocument/completion", {"textDocument": {"uri": FILE + "2"}, "position": {"line": 0, "character": 6}}

        fork = multiprocessing.get_context("fork")
        types, ended = fork.Event(), fork.Event()

        def type_on():
            while not ended.is_set():
                types.wait()
                editor.change(FILE, 0, 0, 0, "x")
                editor.change(FILE, 0, 0, 1, "")

        typist = fork.Process(target=type_on)
        typist.start()
        alone, beside = [], []
        # In turns: the machine may be slower in one minute than in the next one.
        for _ in range(10):
            alone += other.times(complete, ROUNDS // 5)
            types.set()
            beside += other.times(complete, ROUNDS // 5)
            types.clear()
            # What the socket still holds.
            time.sleep(0.2)
        ended.set()
        types.set()
        typist.join()
        editor.call("session/ping", {})
        other.close()
        self.table.ratio("completing a title while another client floods its text, p95", percentile(beside), (
            "alone", percentile(alone)), "ms", most=1.1)

    def live(self, daemon):
        editor = Editor(daemon.socket, applies=True)
        cards = daemon.call("projects/list", limit=20)["items"]

        def laid():
            laid = editor.call("text/path", {"path": "projects/board.md"})
            return laid["uri"], Path(laid["path"]).read_text()

        def opened():
            return BOARD, editor.call("text/open", {"uri": BOARD})["text"]

        for what, begin in [("an open board of 2,000 cards", laid), ("the same that is no file", opened)]:
            times = []
            for number, card in enumerate(cards):
                uri, text = begin()
                editor.open(uri, text)
                # The version that the editor has is stored by a write.
                editor.call("session/sync", {})
                start = time.perf_counter()
                daemon.call("projects/update", id=card["id"], title=f"Another plan {number} of {what}")
                request = editor.await_message("workspace/applyEdit")
                times.append((time.perf_counter() - start) * 1e3)
                editor.answer(request, {"applied": False})
                editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            self.row(f"{what} shows another's change, p95", times, 100)
        editor.close()

    def board(self, daemon, editor):
        self.row("a board of 2,000 cards as a text, p95", editor.times(
            lambda _: ("text/open", {"uri": BOARD}), 20), 20)
        text = editor.call("text/open", {"uri": BOARD})
        synced = [daemon_time(lambda: daemon.call("diary/add", text=f"Entry {round}")) for round in range(20)]
        saves = []
        for round in range(20):
            lines = text["text"].split("\n")
            for number in range(10):
                line = 2 + (round * 97 + number * 191) % CARDS
                lines[line] = lines[line].replace(" of the plan", f" of the plan {round}", 1)
            params = {"uri": BOARD, "base": text["base"], "text": "\n".join(lines)}
            saves.append(daemon_time(lambda: editor.call("text/save", params)))
            text = editor.call("text/open", {"uri": BOARD})
        self.ping = synced
        self.row("saving a board with 10 of 2,000 cards changed, p95", saves, 30 + percentile(synced), "one durable entry")


def daemon_time(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def percentile(figures):
    return sorted(figures)[len(figures) * 95 // 100]


class Editor(Client):
    """A client with the capabilities of an editor."""

    def __init__(self, path, applies=False):
        super().__init__(path)
        self.versions = {}
        self.call("initialize", {
            "clientInfo": {"name": "bench"},
            # Edits of texts that are no files come to clients alone that ask for live edits.
            "initializationOptions": {"commonplace": {"liveEdits": applies}},
            "capabilities": {
                "general": {"positionEncodings": ["utf-8"]},
                "workspace": {"applyEdit": applies, "workspaceEdit": {"documentChanges": applies}},
                "textDocument": {"publishDiagnostics": {}, "synchronization": {}}}})
        self.notify("initialized", {})

    def notify(self, method, params):
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def answer(self, request, result):
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode() + b"\n")

    def open(self, uri, text):
        self.versions[uri] = 0
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": "markdown", "version": 0, "text": text}})

    def change(self, uri, line, start, end, text):
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]},
            "contentChanges": [{"range": {
                "start": {"line": line, "character": start}, "end": {"line": line, "character": end}}, "text": text}]})

    def times(self, request, rounds=ROUNDS):
        """The milliseconds of each round but the first ten."""
        figures = []
        for round in range(rounds + 10):
            method, params = request(round)
            figures.append(daemon_time(lambda: self.call(method, params)))
        return figures[10:]

    def await_message(self, method):
        for line in self.lines:
            message = json.loads(line)
            if message.get("method") == method:
                return message
        raise RuntimeError(f"{method}: the daemon has gone")
