"""Libraries that take minutes to make: made once, and kept beside the programs as long as the library has this form."""

import hashlib
import shutil
import sqlite3
import subprocess

from daemon import Daemon


def kept(bench, name, made, fill):
    """A daemon, not running. `fill` is given one with an empty library, unless one is there that was filled with what
    `made` stands for, its bytes."""
    with Daemon(bench.binaries, bench.home / f"empty-{name}", bench.runtime) as empty:
        with sqlite3.connect(f"file:{empty.database}?mode=ro", uri=True) as database:
            form = str(database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall())
            form += str(database.execute("SELECT tokenizer FROM search_state").fetchall())
    version = subprocess.run([empty.binary, "--version"], stdout=subprocess.PIPE, check=True).stdout
    key = hashlib.sha256(form.encode() + version + made).hexdigest()[:12]
    folder = bench.programs / f"{name}-{key}"
    complete = folder / "complete"
    if not complete.exists():
        # Of other forms, or begun and not completed.
        for old in bench.programs.glob(f"{name}-*"):
            shutil.rmtree(old)
        fill(Daemon(bench.binaries, folder, bench.runtime))
        complete.touch()
    return Daemon(bench.binaries, folder, bench.runtime)
