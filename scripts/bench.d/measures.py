"""What is measured, one function a subject."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from agents import Agents
from daemon import Daemon, wait
from editing import Editing
from finding import Finding
from hanging import Hanging
from made import plain_pdf
from marks import Marks
from overlapping import Overlapping
from page import Page
from pictures import Pictures
from reading import Reading
from remote import Remote
from searching import Searching
from shell import Shell
from sync import Sync
from written import Written

ROUNDS = 5
MEMO_PAGES = 64


def request(method, **params):
    """A line for the load generator, where @ is a number that counts up, % that number modulo 64, ^ in two digits."""
    line = {"jsonrpc": "2.0", "id": "@", "method": method, "params": params}
    return json.dumps(line).replace('"%"', "%").replace('"@"', "@")


PING = request("session/ping")
# Of a seeded library (rows.c): not always the same one.
GET = request("documents/get", id="0192f000-0000-7000-8000-0000000000^")


class Bench:
    # What config.toml says where pages are measured that nobody has drawn before.
    NOTHING_AHEAD = "[pdf]\nahead = false\n"

    def __init__(self, table, binaries, programs, home, runtime, files):
        self.table = table
        self.binaries, self.programs, self.home, self.runtime, self.files = binaries, programs, home, runtime, files
        self.measures = {
            "protocol": self.protocol, "writes": self.writes, "fanout": self.fanout, "start": self.start,
            "overlapping": Overlapping(self).overlapping, "memory": self.memory, "pictures": Pictures(self).pictures, "reading": Reading(self).reading,
            "finding": Finding(self).finding, "locating": Finding(self).locating, "marks": Marks(self).marks,
            "searching": Searching(self).searching, "searchingMillion": Searching(self).searching_million,
            "tokenizing": Searching(self).tokenizing, "suggesting": Searching(self).suggesting,
            "takingIn": Searching(self).taking_in, "hanging": Hanging(self).hanging, "diary": Written(self).diary, "projects": Written(self).projects,
            "books": Remote(self).books, "boards": Remote(self).boards, "hostile": Remote(self).hostile,
            "page": Page(self).page, "bridge": Page(self).bridge, "agents": Agents(self).agents, "shell": Shell(self).shell,
            "editing": Editing(self).editing, "sync": Sync(self).sync,
        }
        self.only_named = {"searchingMillion"}
        self.every_core = os.sched_getaffinity(0)
        self.core = {max(self.every_core)}
        # Where cores are free, client and server sit on different ones. Left to itself, a scheduler sometimes packs the
        # two onto one core, where an echo takes a tenth of the time.
        self.other_cores = self.every_core - self.core or self.core
        self.libraries = {}

    # Libraries

    def library(self, count):
        """A daemon, not running, whose library has `count` documents; the first has memos on 64 pages.

        The first document comes in through the daemon. The others are copies of its row and its search rows, written
        by plain SQL while no daemon runs.
        """
        if count not in self.libraries:
            if count == 1:
                self.libraries[1] = self.first_library()
            else:
                copy = self.library(1).copy(self.home / f"library-{count}", self.runtime)
                self.run("rows", "seed", copy.database, self.document, count - 1)
                self.libraries[count] = copy
        return self.libraries[count]

    def first_library(self):
        file = self.home / "bench.pdf"
        file.write_bytes(plain_pdf(MEMO_PAGES))
        with Daemon(self.binaries, self.home / "library-1", self.runtime) as daemon:
            self.document = daemon.call("documents/add", path=str(file), title="The bench's own")["id"]
            daemon.wait_until_read(self.document)
            for page in range(MEMO_PAGES):
                daemon.call("documents/setMemo", id=self.document, page=page, text="Look this up.")
        return daemon

    @property
    def memo(self):
        return request("documents/setMemo", id=self.document, page="%",
                       text="Compare this with what he wrote to his brother, letter @.")

    # Files

    def made_file(self, name, make):
        file = self.home / name
        if not file.exists():
            file.write_bytes(make())
        return file

    def add(self, daemon, files):
        """Documents of the daemon by file, all read to their ends."""
        documents = {file: daemon.call("documents/add", path=str(file)) for file in files}
        for document in documents.values():
            daemon.wait_until_read(document["id"])
        return documents

    # Programs

    def run(self, program, *arguments, cores=None, seconds=300):
        """The numbers that one of the C programs prints."""
        command = [str(self.programs / program), *map(str, arguments)]
        pin = (lambda: os.sched_setaffinity(0, cores)) if cores else None
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, preexec_fn=pin, timeout=seconds)
        return [float(word) for word in done.stdout.split()]

    def echo(self, size=None):
        """With a size it answers each request with a line of so many bytes."""
        return Echo(self.programs / "echo", self.runtime / "echo.sock", size)

    # Subjects

    def protocol(self):
        daemon = self.library(10_000)
        with daemon, self.echo() as echo:
            ratios = {}
            for place, cores in [("on one core", self.core), ("cores free", self.other_cores)]:
                daemon.pin(cores)
                echo.pin(cores)
                times = {"echo": [], "ping": [], "get": []}
                for _ in range(ROUNDS):
                    for name, path, line in [
                        ("echo", echo.socket, PING), ("ping", daemon.socket, PING), ("get", daemon.socket, GET),
                    ]:
                        times[name].append(self.run("load", "roundtrip", path, 5_000, line, cores=self.core)[0])
                ratios[place] = {name: statistics.median(figures) for name, figures in times.items()}
        one, free = ratios["on one core"], ratios["cores free"]
        server = self.run("load", "unknown", 3_000, "sourcekit-lsp", cores=self.core)[0]
        clangd = self.run("load", "unknown", 3_000, "clangd", cores=self.core)[0]
        self.table.ratio("`session/ping`, on one core", one["ping"], ("raw C echo", one["echo"]), "µs", most=2)
        self.table.ratio("the same, cores free", free["ping"], ("raw C echo", free["echo"]), "µs")
        self.table.add(
            "an unknown method in sourcekit-lsp, on one core", f"{one['ping']:.1f} µs",
            f"sourcekit-lsp {server:.0f} µs, clangd {clangd:.1f} µs", f"{server / one['ping']:.1f} × faster",
            "≥ 6 × faster", server >= 6 * one["ping"])
        self.table.ratio(
            "`documents/get` of 10,000, on one core", one["get"], ("raw C echo", one["echo"]), "µs", most=4)
        self.table.ratio("the same, cores free", free["get"], ("raw C echo", free["echo"]), "µs", most=2)

    def writes(self):
        daemon = self.library(10_000)
        plain = daemon.copy(self.home / "plain", self.runtime)
        single = {}
        many, eight = [], []
        with daemon, self.echo() as echo:
            for place, cores in [("on one core", self.core), ("cores free", self.other_cores)]:
                daemon.pin(cores)
                echo.pin(cores)
                ours, rows, echoes = [], [], []
                for _ in range(ROUNDS):
                    rows.append(self.run("rows", "write", plain.database, 1_500, cores=cores)[0])
                    echoes.append(self.run("load", "roundtrip", echo.socket, 5_000, PING, cores=self.core)[0])
                    ours.append(self.run("load", "roundtrip", daemon.socket, 1_500, self.memo, cores=self.core)[0])
                peer = statistics.median(row + echo for row, echo in zip(rows, echoes))
                single[place] = (statistics.median(ours), peer)
            # Not before: the plain rows' library would have had a twentieth of the writes, and an index with less to merge.
            daemon.pin(self.every_core)
            for _ in range(ROUNDS):
                many.append(self.run("load", "inflight", daemon.socket, 15_000, 1, 64, self.memo)[0])
                eight.append(self.run("load", "inflight", daemon.socket, 15_000, 8, 8, self.memo)[0])
        for place, (one, peer) in single.items():
            name = "one durable write at a time, on one core" if place == "on one core" else "the same, cores free"
            self.table.ratio(name, one, ("plain C SQLite and an echo", peer), "µs", most=1.5)
        rate = ("one at a time", 1e6 / single["cores free"][0])
        self.table.ratio("64 writes in flight, one client", statistics.median(many), rate, "writes/s", least=8)
        self.table.ratio("64 writes in flight, eight clients", statistics.median(eight), rate, "writes/s", least=8)

    def fanout(self):
        # In memory: what a disk needs for a hundredth of its syncs is as long as all that is measured here.
        folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else self.home, prefix="cp-"))
        try:
            self.measure_fanout(self.library(10_000).copy(folder / "library-fanout", self.runtime))
        finally:
            shutil.rmtree(folder)

    def measure_fanout(self, daemon):
        with daemon:
            quiet, stalled = [], []
            for _ in range(3):
                quiet.append(self.run("load", "fanout", daemon.socket, 500, 100, 0, self.memo))
                stalled.append(self.run("load", "fanout", daemon.socket, 500, 100, 1, self.memo))
        p50, p99, _ = map(statistics.median, zip(*quiet))
        stalled50, stalled99, _ = map(statistics.median, zip(*stalled))
        self.table.limit("a write until 100 clients have heard of it, in memory, p99", p99 / 1e3, "ms", 2)
        self.table.ratio(
            "the same with a stalled client, p50", stalled50 / 1e3, ("without", p50 / 1e3), "ms", most=1.1)
        self.table.ratio("the same with a stalled client, p99", stalled99 / 1e3, ("without", p99 / 1e3), "ms")

    def start(self):
        daemon = self.library(100_000)
        times, bare = [], []
        os.environ.update(daemon.environment)
        for _ in range(3):
            times.append(self.run("load", "start", daemon.socket, 15, *daemon.command)[0])
            bare.append(self.run("load", "bare", 15, daemon.binary, "--version")[0])
        whole, bare = statistics.median(times) / 1e3, statistics.median(bare) / 1e3
        self.table.limit("`serve` to its first reply, 100,000 items", whole, "ms", 25)
        self.table.limit("the same, beyond the binary's bare start", whole - bare, "ms", 10)

    def memory(self):
        idle, growth = [], []
        for _ in range(3):
            with self.library(100_000) as daemon:
                self.run("load", "roundtrip", daemon.socket, 100, PING)
                # What a daemon does once, a quarter of a second after its start, is no growth by requests.
                idle.append(daemon.resident_at_rest())
                self.mixed_requests(daemon, 10_000)
                early = daemon.resident()
                self.mixed_requests(daemon, 90_000)
                growth.append(daemon.resident() - early)
                # The first page makes the daemon keep a warm worker ready.
                daemon.call("documents/render", id=self.document, page=0, width=1000)
                daemon.wait_for_spare()
                worker = min(daemon.resident(pid) for pid in daemon.workers())
        self.table.limit("resident, idle, 100,000 items", statistics.median(idle), "MiB", 40)
        self.table.limit("growth from request 10,000 to 100,000", statistics.median(growth), "MiB", 2)
        self.table.limit("resident, a warm worker", worker, "MiB", 24)

    def mixed_requests(self, daemon, count):
        """One write to nine reads."""
        self.run("load", "inflight", daemon.socket, count * 9 // 10, 4, 4, GET)
        self.run("load", "inflight", daemon.socket, count // 10, 4, 4, self.memo)


class Echo:
    def __init__(self, program, path, size=None):
        self.command, self.socket = [str(program), str(path)] + ([str(size)] if size else []), path

    def __enter__(self):
        self.process = subprocess.Popen(self.command)
        wait(self.socket.exists, "the echo does not listen")
        return self

    def pin(self, cores):
        os.sched_setaffinity(self.process.pid, cores)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.socket.unlink()
