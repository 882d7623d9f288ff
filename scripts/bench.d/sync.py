"""Several devices with one library, beside `rclone bisync` of the same texts as files."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from daemon import Client, Daemon, wait
from written import WORDS, median_of

DEVICES = 10
# As many files as a year of ordinary use leaves: later ones are compacted and removed.
NOTES = 2_000
FILES_A_DEVICE = 30
ITEMS = 100_000
CHANGED = 1_000
# Beside a run, one write each: others write now and then, too.
PAUSE = 0.01
WRITES = 500
FILES = 10_000


def text(number):
    return f"Note {number}\n\n" + " ".join(WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(40)) + "\n"


def percentile(times, part):
    return sorted(times)[int(len(times) * part)]


class Server:
    """A server, and the lines of its log that are requests."""

    def __init__(self, command, listening, request, environment=None):
        self.command, self.listening, self.request = command, listening, request
        self.environment = {**os.environ, **(environment or {})}
        self.requests = 0

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment)
        for said in self.process.stderr:
            if self.listening in said:
                self.url = self.listening + said.split(self.listening)[1].split("/")[0].strip()
                threading.Thread(target=self.count, daemon=True).start()
                return self
        raise RuntimeError(f"{self.command[0]} has not started")

    def count(self):
        for said in self.process.stderr:
            self.requests += self.request in said

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def webdav(folder):
    return Server(
        ["rclone", "serve", "webdav", str(folder), "-v", "--addr", "127.0.0.1:0", "--config", "/dev/null"],
        "http://127.0.0.1:", " from 127.0.0.1")


class Peer:
    """Two folders of texts, one of which is the target's."""

    def __init__(self, folder):
        self.here, self.there, self.state = folder / "here", folder / "there", folder / "state"
        for place in (self.here, self.there):
            place.mkdir(parents=True)
        for number in range(FILES):
            (self.here / f"{number}.md").write_text(text(number))
        self.run("--resync")

    def run(self, *words):
        subprocess.run(
            ["rclone", "bisync", self.here, self.there, "--workdir", self.state, "--config", "/dev/null", "--force",
             *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def change(self, count):
        for number in range(count):
            with open(self.here / f"{number}.md", "a") as file:
                file.write("One line more.\n")


class Sync:
    """`bench` runs the load generator; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def device(self, name, target, place, more=""):
        daemon = Daemon(self.bench.binaries, self.bench.home / name, self.bench.runtime)
        self.place(daemon, target, place, more)
        return daemon

    def place(self, daemon, target, place, more=""):
        daemon.configure(f'[sync]\ntarget = "{target}"\nurl = "{place}"\nevery = 0\n{more}')

    def add(self, device, count):
        """Imports notes: what is measured comes after them."""
        file = self.bench.home / "notes.jsonl"
        with open(file, "w") as lines:
            for number in range(count):
                lines.write(json.dumps({"id": f"n{number}", "text": text(number)}) + "\n")
        given = {"path": str(file), "format": "jsonl"}
        confirm = device.call("notes/import", **given, dryRun=True).get("confirm")
        self.timed(device, "notes/import", **given, **({"confirm": confirm} if confirm else {}))
        device.wait_for_rest()

    def sync(self):
        folder = self.bench.home / "sync"
        folder.mkdir()
        self.changed(folder)
        self.year(folder)
        self.size(folder / "size")
        self.first(folder)

    # A year

    def year(self, folder):
        """Runs with nothing new, when ten devices have written."""
        place = folder / "year"
        place.mkdir()
        devices = [self.device(f"sync-year-{number}", "folder", place) for number in range(DEVICES)]
        code = None
        for number, device in enumerate(devices):
            with device:
                if not number:
                    self.add(device, NOTES)
                reply = self.timed(device, "sync/setUp", name=f"device {number}", **({"code": code} if code else {}))
                code = code or reply["code"]
                for file in range(FILES_A_DEVICE):
                    change = number * FILES_A_DEVICE + file
                    device.call("notes/append", id=f"n{change * 3 % NOTES}", text=f"From device {number}.")
                    device.call("notes/add", text=text(change))
                    self.timed(device, "sync/run")
        first = devices[0]
        with first:
            wait(lambda: self.timed(first, "sync/run")["read"] == 0, "there is always something new")
            self.nothing(first, "folder", 20)
        with webdav(place) as server:
            self.place(first, "webdav", f"{server.url}/")
            with first:
                self.nothing(first, "WebDAV", 150, server)
        self.s3(first, place)

    def nothing(self, device, name, most, server=None):
        device.call("sync/run")
        time.sleep(0.2)
        before = server.requests if server else 0
        times = median_of(30, lambda: device.call("sync/run"))
        self.table.limit(f"a sync with nothing new, {name}, {DEVICES} devices", times, "ms", most)
        if server:
            wait(lambda: server.requests - before >= 30, "the server logs no requests")
            self.table.limit(f"its requests, {name}", (server.requests - before) / 30, "", 3)

    def s3(self, device, place):
        """moto's server, from the packages of the tests."""
        packages = Path(__file__).resolve().parents[2] / ".build/python"
        if not (packages / "moto").exists():
            raise SystemExit(f"bench: {packages} has no moto; scripts/test installs it")
        python = {"PYTHONPATH": str(packages), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
        with Server(command, "http://127.0.0.1:", "/notes?", python) as server:
            script = f"""
from boto3 import client
from pathlib import Path
s3 = client("s3", region_name="us-east-1", endpoint_url="{server.url}",
            aws_access_key_id="none", aws_secret_access_key="none")
s3.create_bucket(Bucket="notes")
place = Path({str(place)!r})
for file in place.rglob("*"):
    if file.is_file():
        s3.put_object(Bucket="notes", Key=str(file.relative_to(place)), Body=file.read_bytes())
"""
            subprocess.run(["python3", "-c", script], check=True, env={**os.environ, **python})
            secret = self.bench.home / "secret"
            secret.write_text("none:none")
            secret.chmod(0o600)
            self.place(
                device, "s3", server.url,
                'bucket = "notes"\nregion = "us-east-1"\nstyle = "path"\ncredential = "cloud"\n\n'
                f'[credentials.cloud]\norigin = "{server.url}"\nfile = "{secret}"\n')
            with device:
                self.nothing(device, "S3", 150, server)

    def size(self, figures):
        """What a year of three devices leaves at the target. Only the project's tests have a clock of their own."""
        subprocess.run(
            ["swift", "test", "--skip-build", "--disable-xctest", "--filter", "OrdinaryYearTests"], check=True,
            stdout=sys.stderr, env={**os.environ, "SYNC_YEAR": str(figures)})
        remote, live = map(int, figures.read_text().split())
        self.table.ratio("the target after a year of ordinary use", remote / 1e6, ("its items", live / 1e6), "MB", most=2)

    # Many items

    def changed(self, folder):
        """A thousand changed notes of ten thousand, out and in, beside the same texts as files."""
        place = folder / "changed"
        place.mkdir()
        with self.device("sync-sent", "folder", place) as out, self.device("sync-received", "folder", place) as other:
            self.add(out, FILES)
            code = self.timed(out, "sync/setUp", name="out")["code"]
            self.timed(other, "sync/setUp", name="in", code=code)
            self.timed(out, "sync/run")
            sent, received = [], []
            for round in range(3):
                for number in range(CHANGED):
                    out.call("notes/update", id=f"n{number}", text=text(number) + f"Round {round}.\n")
                sent.append(self.timed(out, "sync/run")["seconds"])
                reply = self.timed(other, "sync/run")
                received.append(reply["seconds"])
                if reply["received"] != CHANGED:
                    raise RuntimeError(f"{reply['received']} notes were received")
        peer = Peer(folder / "peer")
        theirs = []
        for _ in range(3):
            peer.change(CHANGED)
            start = time.perf_counter()
            peer.run()
            theirs.append(time.perf_counter() - start)
        shutil.rmtree(folder / "peer")
        beside = (f"rclone bisync of {FILES:,} files", statistics.median(theirs))
        self.table.limit(f"{CHANGED:,} changed notes out", statistics.median(sent), "s", 0.5)
        self.table.limit(f"{CHANGED:,} changed notes in", statistics.median(received), "s", 0.5)
        self.table.ratio(
            "the same out and in", statistics.median(sent) + statistics.median(received), beside, "s", most=1)

    def first(self, folder):
        """The first sync of many notes, and writes beside sending and beside receiving."""
        place = folder / "many"
        place.mkdir()
        with self.device("sync-out", "folder", place) as out, self.device("sync-in", "folder", place) as other:
            self.add(out, ITEMS)
            alone = self.writes(out, lambda count: count < WRITES)
            idle = out.resident_at_rest()
            Path(f"/proc/{out.process.pid}/clear_refs").write_text("5")
            reply = {}
            first = threading.Thread(target=lambda: reply.update(self.timed(out, "sync/setUp", name="out")))
            first.start()
            meanwhile = self.writes(out, lambda _: first.is_alive())
            first.join()
            peak = int(Path(f"/proc/{out.process.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
            self.table.limit(f"the first sync of {ITEMS:,} notes, out", reply["seconds"], "s", 60)
            self.table.limit("resident beyond idle meanwhile", peak - idle, "MiB", 64)
            self.table.ratio(
                "a write meanwhile, p99", percentile(meanwhile, 0.99), ("without", percentile(alone, 0.99)), "ms",
                most=1.2)
            alone = self.writes(other, lambda count: count < WRITES)
            idle = other.resident_at_rest()
            Path(f"/proc/{other.process.pid}/clear_refs").write_text("5")
            joined = {}
            join = threading.Thread(
                target=lambda: joined.update(self.timed(other, "sync/setUp", name="in", code=reply["code"])))
            join.start()
            # A few, since each of them makes the rest wait.
            meanwhile = self.writes(other, lambda count: count < WRITES and join.is_alive())
            join.join()
            peak = int(Path(f"/proc/{other.process.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
            self.table.limit(f"the first sync of {ITEMS:,} notes, in", joined["seconds"], "s", 60)
            self.table.limit("resident beyond idle there", peak - idle, "MiB", 64)
            self.table.ratio(
                "a write beside receiving, p99", percentile(meanwhile, 0.99), ("without", percentile(alone, 0.99)),
                "ms", most=1.2)

    def timed(self, daemon, method, **params):
        client = Client(daemon.socket)
        client.socket.settimeout(600)
        start = time.perf_counter()
        reply = client.call(method, params)
        client.close()
        return {**reply, "seconds": time.perf_counter() - start}

    def writes(self, daemon, goes_on):
        """How long each of the writes took, in milliseconds."""
        client = Client(daemon.socket)
        times = []
        while goes_on(len(times)):
            start = time.perf_counter()
            client.call("notes/add", {"text": "One more."})
            times.append((time.perf_counter() - start) * 1e3)
            time.sleep(PAUSE)
        client.close()
        return times
