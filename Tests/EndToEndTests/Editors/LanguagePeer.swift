/// A client in Python that checks each message of both sides with the types of LSP's own package, `lsprotocol`. Its
/// arguments are where texts are, `virtual` or `files`, whether it has all capabilities, `all` or `plain`, and the
/// position encoding.
enum LanguagePeer {
  static let python = #"""
    import json, subprocess, sys
    from lsprotocol import converters, types

    converter = converters.get_converter()
    kinds = {"documents": sys.argv[1] == "virtual", "plain": sys.argv[2] == "plain", "encoding": sys.argv[3]}
    daemon = subprocess.Popen(["commonplace", "connect"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    heard, checked = [], set()

    def same(ours, theirs, path):
        """Whatever LSP's types have kept of a message is as it was, and nothing is missing in them."""
        if isinstance(ours, dict):
            for name, value in ours.items():
                if value is None: continue
                assert isinstance(theirs, dict) and name in theirs, f"{path}.{name} is no member"
                same(value, theirs[name], f"{path}.{name}")
        elif isinstance(ours, list):
            assert isinstance(theirs, list) and len(ours) == len(theirs), path
            for number, value in enumerate(ours): same(value, theirs[number], f"{path}[{number}]")
        else:
            assert ours == theirs, f"{path}: {ours} {theirs}"

    def check(message, kind, method):
        made = converter.structure(message, kind)
        # Members of our own are in the results of `initialize` and of commands alone.
        if method not in ("initialize", "workspace/executeCommand"):
            same(message, converter.unstructure(made, kind), method)
        checked.add(method)

    def send(message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        kind = types.METHOD_TO_TYPES.get(message.get("method"))
        if kind: check(json.loads(body), kind[0], message["method"])
        daemon.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        daemon.stdin.flush()

    def receive():
        length = 0
        while (line := daemon.stdout.readline()) != b"\r\n":
            assert line, "the daemon has ended"
            if line.lower().startswith(b"content-length"): length = int(line.split(b":")[1])
        message = json.loads(daemon.stdout.read(length))
        method = message.get("method")
        if method in types.METHOD_TO_TYPES:
            check(message, types.METHOD_TO_TYPES[method][0], method)
            if "id" in message: send({"id": message["id"], "result": None if method != "workspace/applyEdit" else {"applied": False}})
        if method: heard.append(message)
        return message

    number = 0
    def call(method, params, isRefused=False):
        global number
        number += 1
        send({"id": number, "method": method, "params": params})
        while (reply := receive()).get("id") != number or "method" in reply: pass
        assert ("error" in reply) == isRefused, reply
        kind = types.METHOD_TO_TYPES.get(method)
        if method == "textDocument/codeAction":
            # These types take every action with a command for a command.
            for action in reply["result"]:
                check(action, types.Command if isinstance(action.get("command"), str) else types.CodeAction, method)
        elif kind and not isRefused: check(reply, kind[1], method)
        return reply.get("result")

    def hear(method, has=lambda params: True):
        place = 0
        while True:
            for message in heard[place:]:
                if message["method"] == method and has(message["params"]): return message["params"]
            place = len(heard)
            receive()

    everything = {
        "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True},
                      "symbol": {"resolveSupport": {"properties": ["location.range"]}}, "textDocumentContent": {}},
        "textDocument": {
            "synchronization": {"didSave": True, "willSaveWaitUntil": True}, "completion": {"completionItem": {}},
            "hover": {"contentFormat": ["markdown"]}, "definition": {"linkSupport": True},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}, "rename": {"prepareSupport": True},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}, "dataSupport": True,
                           "resolveSupport": {"properties": ["edit"]}},
            "publishDiagnostics": {"versionSupport": True}, "codeLens": {}, "inlayHint": {},
            "semanticTokens": {"requests": {"full": True}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}},
        "window": {"showDocument": {"support": True}}}
    plain = {"textDocument": {"synchronization": {}}}
    abilities = {"general": {"positionEncodings": [kinds["encoding"]]}, **(plain if kinds["plain"] else everything)}
    call("initialize", {"processId": None, "rootUri": None, "clientInfo": {"name": "peer"}, "capabilities": abilities,
                        "initializationOptions": {"commonplace": {"documents": sys.argv[1]}}})
    send({"method": "initialized", "params": {}})
    card = call("projects/add", {"line": "Return the book tomorrow #garden !2", "id": "card"})
    call("projects/add", {"title": "Wait [[Return the book]]", "body": "See [[Return the book]]."})

    notes = {"uri": "file:///tmp/notes.md"}
    lines = ["# Notes 𝄞", "See [[Return the book]] and commonplace:/projects/none", "[[Ret", "#gar", "due:fri", "after:^", "- a line", ""]
    send({"method": "textDocument/didOpen", "params": {"textDocument": {
        **notes, "languageId": "markdown", "version": 1, "text": "\n".join(lines)}}})
    hear("textDocument/publishDiagnostics", lambda params: params["diagnostics"])

    def at(line, character, **more): return {"textDocument": notes, "position": {"line": line, "character": character}, **more}
    for line in range(2, 6):
        offered = call("textDocument/completion", at(line, len(lines[line]), context={"triggerKind": 1}))["items"]
        assert offered, lines[line]
        call("completionItem/resolve", offered[0])
    call("textDocument/hover", at(1, 8))
    call("textDocument/definition", at(1, 8))
    call("textDocument/references", at(1, 8, context={"includeDeclaration": True}))
    links = call("textDocument/documentLink", {"textDocument": notes})
    call("documentLink/resolve", links[0])
    call("textDocument/documentSymbol", {"textDocument": notes})
    for words in ("", "book"):
        found = call("workspace/symbol", {"query": words})
        if not kinds["plain"]: call("workspaceSymbol/resolve", found[0])
    for line in (1, 6):
        place = {"line": line, "character": 4}
        offered = call("textDocument/codeAction", {
            "textDocument": notes, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
        for action in offered:
            if "kind" in action: call("codeAction/resolve", action)
    call("textDocument/foldingRange", {"textDocument": notes})
    call("textDocument/prepareRename", at(1, 8))
    call("textDocument/rename", at(1, 8, newName="Give it back"))

    board = call("text/path", {"path": "projects/board.md"})
    text = open(board["path"]).read()
    file = {"uri": board["uri"]}
    send({"method": "textDocument/didOpen", "params": {"textDocument": {**file, "languageId": "markdown", "version": 1, "text": text}}})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    for method, more in [("codeLens", {}), ("inlayHint", {"range": whole}), ("semanticTokens/full", {}), ("documentSymbol", {}),
                         ("formatting", {"options": {"tabSize": 2, "insertSpaces": True}}), ("foldingRange", {})]:
        call(f"textDocument/{method}", {"textDocument": file, **more})
    changed = text.replace("- [ ] Give", "- [ ] New due:fri\n- [ ] Give")
    send({"method": "textDocument/didChange", "params": {
        "textDocument": {**file, "version": 2}, "contentChanges": [{"text": changed}]}})
    assert call("textDocument/willSaveWaitUntil", {"textDocument": file, "reason": 1})
    open(board["path"], "w").write(changed)
    send({"method": "textDocument/didSave", "params": {"textDocument": file, "text": changed}})
    # A line that is gone removes its card, which the reader is told.
    shorter = changed.replace("- [ ] New due:fri\n", "")
    open(board["path"], "w").write(shorter)
    send({"method": "textDocument/didSave", "params": {"textDocument": file, "text": shorter}})
    hear("window/showMessage")
    subprocess.run(["commonplace", "call", "projects/add", "title=From elsewhere"], check=True, stdout=subprocess.DEVNULL)
    if not kinds["plain"]: hear("workspace/applyEdit")
    call("workspace/executeCommand", {"command": "commonplace.today", "arguments": [{}]})
    call("workspace/executeCommand", {"command": "commonplace.none", "arguments": [{}]}, isRefused=True)
    call("workspace/textDocumentContent", {"uri": "commonplace:///text/projects/board.md"})
    send({"method": "textDocument/didClose", "params": {"textDocument": file}})
    call("shutdown", None)
    send({"method": "exit"})
    assert daemon.wait() == 0
    print(len(checked), *sorted(checked))
    """#
}
