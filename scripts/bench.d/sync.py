"""Several devices with one library, beside `rclone bisync` of the same texts as files."""

import shutil
import statistics
import subprocess
import threading
import time
from pathlib import Path

from daemon import Client, Daemon, wait
from written import WORDS, line, median_of

DEVICES = 10
ITEMS = 100_000
CHANGED = 1_000
FILES = 10_000


def text(number):
    return f"Note {number}\n\n" + " ".join(WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(40)) + "\n"


def percentile(times, part):
    return sorted(times)[int(len(times) * part)]


class WebDAV:
    """`rclone serve webdav` over a folder."""

    def __init__(self, folder):
        folder.mkdir()
        self.command = [
            "rclone", "serve", "webdav", str(folder), "--addr", "127.0.0.1:0", "--config", "/dev/null"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        for said in self.process.stderr:
            if "http://127.0.0.1:" in said:
                self.url = "http://127.0.0.1:" + said.split("http://127.0.0.1:")[1].split("/")[0].strip() + "/"
                # What it says later is read by nobody.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return self
        raise RuntimeError("rclone has not started")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


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

    def device(self, name, target, place):
        daemon = Daemon(self.bench.binaries, self.bench.home / name, self.bench.runtime)
        daemon.configure(f'[sync]\ntarget = "{target}"\nurl = "{place}"\nevery = 0\n')
        return daemon

    def sync(self):
        folder = self.bench.home / "sync"
        folder.mkdir()
        self.many(folder)
        with WebDAV(folder / "webdav") as server:
            self.nothing("WebDAV", "webdav", server.url, 150)
        (folder / "quiet").mkdir()
        self.nothing("folder", "folder", folder / "quiet", 20)

    def nothing(self, name, target, place, most):
        """A run of one of ten devices, when all of them have written and read."""
        devices = [self.device(f"sync-{target}-{number}", target, place) for number in range(DEVICES)]
        code = None
        for _ in range(3):
            for number, device in enumerate(devices):
                with device:
                    if device.call("sync/status")["state"] == "off":
                        reply = device.call("sync/setUp", name=f"device {number}", **({"code": code} if code else {}))
                        code = code or reply["code"]
                    for place in range(5):
                        device.call("notes/add", text=text(number * 10 + place))
                        device.call("sync/run")
        for device in devices:
            with device:
                device.call("sync/run")
        with devices[0] as device:
            wait(lambda: device.call("sync/run")["read"] == 0, "there is always something new")
            times = median_of(30, lambda: device.call("sync/run"))
        self.table.limit(f"a sync with nothing new, {name}, {DEVICES} devices", times, "ms", most)

    def many(self, folder):
        """The first sync of many notes, a thousand changes, and writes meanwhile."""
        place = folder / "many"
        place.mkdir()
        add = line("notes/add", text=text(0).replace("Note 0", "Note @"))
        with self.device("sync-out", "folder", place) as out, self.device("sync-in", "folder", place) as other:
            self.bench.run("load", "inflight", out.socket, ITEMS, 8, 8, add)
            out.wait_for_rest()
            alone = self.writes(out, 1_000)
            idle = out.resident_at_rest()
            Path(f"/proc/{out.process.pid}/clear_refs").write_text("5")
            reply = {}
            first = threading.Thread(target=lambda: reply.update(self.timed(out, "sync/setUp", name="out")))
            first.start()
            meanwhile = []
            client = Client(out.socket)
            while first.is_alive():
                meanwhile.append(self.write(client))
            client.close()
            first.join()
            peak = int(Path(f"/proc/{out.process.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
            self.table.limit(f"the first sync of {ITEMS:,} notes, out", reply["seconds"], "s", 60)
            self.table.limit("resident beyond idle meanwhile", peak - idle, "MiB", 64)
            self.table.ratio(
                "a write meanwhile, p99", percentile(meanwhile, 0.99), ("without", percentile(alone, 0.99)), "ms", most=1.2)
            self.table.limit(
                f"the first sync of {ITEMS:,} notes, in",
                self.timed(other, "sync/setUp", name="in", code=reply["code"])["seconds"], "s", 60)
            out.call("sync/run")
            notes = out.call("notes/list", limit=CHANGED)["items"]
            sent, received = [], []
            for round in range(3):
                for note in notes:
                    out.call("notes/update", id=note["id"], text=text(round) + note["id"])
                sent.append(self.timed(out, "sync/run")["seconds"])
                received.append(self.timed(other, "sync/run")["seconds"])
        peer = Peer(folder / "peer")
        theirs = []
        for _ in range(3):
            peer.change(CHANGED)
            start = time.perf_counter()
            peer.run()
            theirs.append(time.perf_counter() - start)
        beside = (f"rclone bisync of {FILES:,} files", statistics.median(theirs))
        self.table.limit(f"{CHANGED:,} changed notes out", statistics.median(sent), "s", 0.5)
        self.table.limit(f"{CHANGED:,} changed notes in", statistics.median(received), "s", 0.5)
        self.table.ratio(
            "the same out and in", statistics.median(sent) + statistics.median(received), beside, "s", most=1)
        shutil.rmtree(folder / "peer")

    def timed(self, daemon, method, **params):
        client = Client(daemon.socket)
        client.socket.settimeout(600)
        start = time.perf_counter()
        reply = client.call(method, params)
        client.close()
        return {**reply, "seconds": time.perf_counter() - start}

    def write(self, client):
        start = time.perf_counter()
        client.call("notes/add", {"text": "One more."})
        return (time.perf_counter() - start) * 1e3

    def writes(self, daemon, count):
        client = Client(daemon.socket)
        times = [self.write(client) for _ in range(count)]
        client.close()
        return times
