"""sourcekit-lsp, a language server that is on every machine with Swift: what a completion costs there."""

import json
import subprocess
import time

TEXT = "let numbers = [1, 2]\nnumbers.\n"


def completions(folder, rounds=20):
    """The milliseconds of each round in which the members of an array are completed, but the first two."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "numbers.swift"
    file.write_text(TEXT)
    uri = f"file://{file}"
    place = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 8}, "context": {"triggerKind": 1}}
    figures = []
    with subprocess.Popen(["sourcekit-lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          cwd=folder) as server:

        def send(message):
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            server.stdin.flush()

        def receive():
            length = 0
            while header := server.stdout.readline().strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            return json.loads(server.stdout.read(length))

        def call(number, method, params):
            send({"id": number, "method": method, "params": params})
            while (message := receive()).get("id") != number or "method" in message:
                pass
            return message["result"]

        try:
            call(1, "initialize", {"processId": None, "rootUri": f"file://{folder}", "capabilities": {}})
            send({"method": "initialized", "params": {}})
            send({"method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": uri, "languageId": "swift", "version": 0, "text": TEXT}}})
            for number in range(2, rounds + 4):
                start = time.perf_counter()
                if not call(number, "textDocument/completion", place)["items"]:
                    raise RuntimeError("sourcekit-lsp completes nothing")
                figures.append((time.perf_counter() - start) * 1e3)
        finally:
            server.kill()
    return figures[2:]
