"""Chromium without a window, driven over WebDriver, for the bench."""

import json
import os
import re
import subprocess
import urllib.request
from pathlib import Path


class Browser:
    def __init__(self, folder: Path, width=1280, height=900):
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder), "TZ": "UTC"}
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True)
        found = next(filter(None, (re.search(r"successfully on port (\d+)", line) for line in self.driver.stdout)))
        self.address = f"http://127.0.0.1:{found[1]}"
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            f"--user-data-dir={folder}/profile", f"--window-size={width},{height}", "--disable-background-networking",
        ]
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": arguments},
            "timeouts": {"script": 300_000, "pageLoad": 60_000},
        }
        self.session = ""
        reply = self.command("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{reply['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.command("DELETE", "")
        self.driver.terminate()
        self.driver.wait(10)

    def command(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + self.session + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=330) as reply:
            return json.loads(reply.read())["value"]

    def open(self, url):
        self.command("POST", "/url", {"url": url})

    def run(self, body, *arguments):
        """What the body of an async function returns; its parameters are `arguments`."""
        script = "const done = [...arguments].at(-1); (async () => { %s })().then(done, (error) => done(`!${error}`));"
        value = self.command("POST", "/execute/async", {"script": script % body, "args": list(arguments)})
        if isinstance(value, str) and value.startswith("!"):
            raise RuntimeError(value[1:])
        return value

    def press(self, key, modifier=None):
        downs = [{"type": "keyDown", "value": each} for each in (modifier, key) if each]
        ups = [{"type": "keyUp", "value": each["value"]} for each in reversed(downs)]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": downs + ups}]})

    def devtools(self, name, **params):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": params})

    def resident(self):
        """MiB of the largest process of a page, without the decoded pictures that it shares and gives back on demand."""
        sizes = [0]
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
                if b"--type=renderer" in command and str(self.driver.pid).encode() in ancestors(folder.name):
                    sizes.append(int((folder / "status").read_text().split("RssAnon:")[1].split()[0]) / 1024)
            except (OSError, IndexError):
                continue
        return max(sizes)


def ancestors(pid):
    found = []
    while pid not in ("0", "1"):
        found.append(pid.encode())
        pid = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
    return found
