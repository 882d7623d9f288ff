"""The agents' server: its start, and what a tool's answer takes beyond the method's own."""

import io
import json
import statistics
import subprocess
import time

from daemon import Client

ROUNDS = 5
CALLS = 300
STARTS = 15
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Agent:
    """`commonplace mcp` before a daemon that runs."""

    def __init__(self, daemon):
        command = [str(daemon.binary), "mcp", "--library", str(daemon.library), "--socket", str(daemon.socket)]
        self.process = subprocess.Popen(
            command, env=daemon.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=daemon.log, bufsize=0)
        # Without a buffer each byte of a line would be a read of its own.
        self.lines = io.BufferedReader(self.process.stdout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(30)

    def request(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        reply = json.loads(self.lines.readline())
        if "error" in reply or reply["result"].get("isError"):
            raise RuntimeError(f"{method}: {reply}")
        return reply["result"]

    def call(self, tool, arguments):
        return self.request("tools/call", name=tool, arguments=arguments)


def median(count, body):
    """Milliseconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        body()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


class Agents:
    """`bench` has the libraries; see `measures.Bench`."""

    def __init__(self, bench):
        self.bench, self.table = bench, bench.table

    def agents(self):
        daemon = self.bench.library(10_000)
        # A session reads at most so many MiB.
        daemon.configure("[agents]\nreadLimit = 65536\n")
        with daemon:
            document = self.bench.document
            item = {"collection": "documents", "id": document}
            # What the daemon makes once for all clients, it makes for the first.
            with Agent(daemon) as agent:
                agent.call("get", item)
            self.starts(daemon, item)
            with Agent(daemon) as agent:
                self.calls(agent, daemon, "get", item, "changes/item", item)
                self.calls(agent, daemon, "search", {"text": "bench"}, "search/query",
                           {"text": "bench", "limit": 10, "remember": False})
                self.calls(agent, daemon, "list", {"collection": "documents"}, "documents/list", {"limit": 20})

    def starts(self, daemon, item):
        def milliseconds(request):
            times = []
            for _ in range(STARTS):
                begin = time.perf_counter()
                with Agent(daemon) as agent:
                    request(agent)
                    times.append((time.perf_counter() - begin) * 1e3)
            return statistics.median(times)
        discovered = milliseconds(lambda agent: agent.request("server/discover"))
        answered = milliseconds(lambda agent: agent.call("get", item))
        self.table.limit("`commonplace mcp` to its first answer", discovered, "ms", 20)
        self.table.limit("the same, to the first answer of a tool", answered, "ms", 20)

    def calls(self, agent, daemon, tool, arguments, method, params):
        """The tool and its method in turns, the method by a socket in the same language."""
        own = Client(daemon.socket)
        beyond = []
        for _ in range(ROUNDS):
            theirs = median(CALLS, lambda: own.call(method, params))
            beyond.append(median(CALLS, lambda: agent.call(tool, arguments)) - theirs)
        own.close()
        self.table.limit(f"the tool `{tool}`, beyond `{method}`", statistics.median(beyond), "ms", 1)
