import Wire

extension Reference {
  /// `protocol.md`: promises, an index, how to connect, errors, and each area with its methods, notifications and objects.
  package var markdown: String {
    var page = MarkdownPage()
    page.line("# The protocol")
    page.line("Generated from the code by `scripts/regenerate`; a test compares the two.")
    if !promises.isEmpty {
      page.line("## Promises")
      page.block(promises.enumerated().map { "\($0.offset + 1). \($0.element)" })
    }
    writeIndex(to: &page)
    writeConnecting(to: &page)
    page.line("## Requests")
    page.line(
      "Params are passed by name. An optional param may be omitted. `null` means the same, except where the type says "
        + "*or null*: then an omitted field keeps its value and `null` clears it. An unknown name is refused, and the "
        + "error names the nearest known one. Every result is an object. Unless the method's kind is control, it has "
        + "`clock`, the state of the library that it shows. A write that changed nothing returns `changed: false`. "
        + "LSP's own methods, marked *LSP*, ignore unknown names and return what LSP specifies.")
    page.line("Any request may carry:")
    page.table(of: RequestOptions.shape)
    var objects = SharedObjects()
    page.line("The `dryRun` of a reply has:")
    page.table(of: DryRunReport.shape, &objects)
    page.line("### Bounds")
    page.line(
      "A message has at most 16 MiB, 128 levels of nesting, 500,000 values and, as a batch, 1,024 members. A larger "
        + "one is answered with an error and has no effect. At most 64 requests of one client run at once. If all of "
        + "them wait for the network or for workers, the next one fails with `busy`; otherwise it waits. While 1,024 "
        + "messages or 4 MiB of them wait, the client's input is not read. A cancellation overtakes every message that "
        + "was read. While more than 4 MiB of replies are unsent, no request is started, and results fetched meanwhile "
        + "are sent when there is room. A reply carries a file of at most 12 MiB. No number in params is beyond 2⁵³ in "
        + "either direction, since programs differ in the integers that they read there.")
    page.line(
      "A message must be completed in time, or its client gets an error and is disconnected: at most 30 s may pass "
        + "without a byte of it, and all of it must arrive within 30 s plus one second for each 64 KiB. A client with "
        + "unsent replies that accepts no byte for 30 s is disconnected. At most 256 clients are connected at once; "
        + "the next one is answered `busy` and disconnected.")
    page.line("### Pages")
    page.line("Every list is returned in pages: `items`, and how to continue.")
    page.table(of: Page<Empty>.shape)
    page.line("### Items")
    page.line(
      "`rpc.discover` describes items so that a front end can show those of any collection, even of one that it has no "
        + "code for. A member of a reply that has a label has it as the `title` of its schema, in the client's "
        + "language. The schema of an item has `x-collection`, the collection's name; `x-item`, the word for one item; "
        + "`x-title`, the path of the member that is its title, such as `display.title`; `x-columns`, the members for "
        + "a table, in this order; and `x-get`, the method that gets one by its id, or `x-list`, one that lists them "
        + "if none gets one. Neither uses the network; `changes/item` gets an item of any collection. `x-silent` is "
        + "true if clients are notified of changes only when they subscribe to the collection. `x-files`, of an item and of a "
        + "method, names the members of replies, at any depth, whose texts may be or contain paths of files; a param has it as true. "
        + "If an item's `display` has a string with a member's name, show that string.")
    page.line("### Days")
    page.line(
      "A param of the type *day* without a link is `2026-11-21`. With the link here it may also be a natural-language "
        + "date, in any supported language, whatever the client's: `tomorrow`, `next friday`, `in 3 days`, "
        + "`24 December`, `+2w`, `eom`, `내일`, `다음 주 월요일`, `3일 후`, `来週の月曜日`, `下周一`. Weeks begin on Monday; "
        + "`next friday` is next week's, `this friday` this week's. A weekday alone or a date without a year lies in "
        + "the future for due dates and in the past for other days, such as those of a diary. Today is the date in the "
        + "client's time zone; a day begins at the library's `dayStartsAt`. Text that cannot be parsed whole, or a "
        + "date that does not exist (`31 February`), is an error with examples, never today. The reply has the day "
        + "that was parsed.")
    writeErrors(to: &page)
    for area in areas {
      page.line("## \(area)")
      for method in methods where method.area == area { write(method, to: &page, &objects) }
      for notification in notifications where notification.area == area { write(notification, to: &page, &objects) }
      // An object's fields may hold further objects, which then follow it.
      while let shape = objects.next() {
        page.line("### \(shape.name)")
        page.table(of: .object(shape), &objects)
      }
    }
    return page.text
  }

  /// Every method and notification, a line each.
  private func writeIndex(to page: inout MarkdownPage) {
    page.line("## Index")
    for area in areas {
      let methods = methods.filter { $0.area == area }.map { ($0.name, $0.kind, $0.summary) }
      let notifications = notifications.filter { $0.area == area }.map { ($0.name, "notification", $0.summary) }
      page.block(
        ["| \(area) | kind | |", "|---|---|---|"]
          + (methods + notifications).map { name, kind, summary in
            "| [\(name)](#\(MarkdownPage.anchor(name))) | \(kind) | \(MarkdownPage.cell(firstSentence(of: summary))) |"
          })
    }
  }

  private func firstSentence(of text: String) -> String {
    guard let end = text.firstRange(of: ". ") else { return text }
    return String(text[..<end.upperBound].dropLast())
  }

  private func writeConnecting(to page: inout MarkdownPage) {
    page.line("## Connecting")
    page.line(
      "`commonplace connect` connects standard input and output to the daemon, and starts one if none runs. A program "
        + "may also open the Unix socket: `$XDG_RUNTIME_DIR/commonplace.sock`, or `run/s` in the library's folder if "
        + "that directory is not private to the user. `session/status` returns the path as `server.socket`.")
    page.line(
      "The first byte of a connection selects its framing. `C` begins headers as in LSP: `Content-Length: N`, an empty "
        + "line, and N bytes of JSON; lines end with CR LF. `{` or `[` begins line framing: one JSON message per line, "
        + "which ends with LF. Replies use the framing of the requests.")
    page.line(
      "`initialize` is optional. Send it first to set the language and zone of `display` and errors, the position encoding, "
        + "and the client's name. With headers, notifications arrive after `initialized`; with lines, after "
        + "`changes/subscribe`.")
  }

  private func writeErrors(to page: inout MarkdownPage) {
    guard !errors.isEmpty else { return }
    page.line("## Errors")
    page.line(
      "An error has `code`, `message`, a sentence in the client's language, and `data`: `kind`, the stable name by "
        + "which programs distinguish errors; `key` of the sentence; `advice`, what to do, if known; and the members "
        + "named below. Codes of JSON-RPC and LSP have no kind: −32700 for a message that is not JSON, −32600 for an "
        + "invalid request, −32601 for an unknown method, −32602 for invalid params, with `data.field` and "
        + "`data.reason`, −32603 for an internal error, −32800 for a cancelled request.")
    let general = ErrorKind.general.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    page.line("Any request can fail with \(general). Each method lists its other kinds.")
    page.block(
      ["| kind | code | data | try again | meaning |", "|---|---|---|---|---|"]
        + errors.map { error in
          let data = error.data.map { "`\($0)`" }.joined(separator: ", ")
          return "| `\(error.name)` | \(error.code) | \(data) | \(error.retry) | \(MarkdownPage.cell(error.meaning)) |"
        })
  }

  private var areas: [String] {
    let names = Set(methods.map(\.area) + notifications.map(\.area))
    // Connections begin with `session`, so the page does too.
    return names.sorted { ($0 == "session" ? 0 : 1, $0) < ($1 == "session" ? 0 : 1, $1) }
  }

  private func write(_ method: MethodDescription, to page: inout MarkdownPage, _ objects: inout SharedObjects) {
    page.line("### \(method.name)")
    var facts = [method.kind] + method.effects.names.filter { $0 + "s" != method.kind && $0 != method.kind + "s" }
    if method.canRehearse { facts.append("dry run") }
    if method.isLanguageServer { facts.append("LSP") }
    facts.append("since \(method.since)")
    page.line("\(method.summary) *\(facts.filter { !$0.isEmpty }.joined(separator: ", "))*")
    page.table(of: method.params, &objects)
    let many = method.resultOfMany.map { ". With `ids`: \(page.type(of: $0, &objects))" } ?? ""
    page.line("Result: \(page.type(of: method.result, &objects))\(many)")
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": 1, "method": .string(method.name), "params": method.exampleParams,
    ]
    page.code([PrettyJSON.text(of: request)])
    page.code([PrettyJSON.text(of: result(of: method))])
    if !method.errors.isEmpty {
      page.line("Errors: " + method.errors.map { "`\($0.rawValue)`" }.joined(separator: ", "))
    }
  }

  private func result(of method: MethodDescription) -> JSONValue {
    var result = method.exampleResult
    if !method.isLanguageServer, method.kind != "control", case .object(var object) = result, object["clock"] == nil {
      object["clock"] = 42
      result = .object(object)
    }
    return ["jsonrpc": "2.0", "id": 1, "result": result]
  }

  private func write(
    _ notification: NotificationDescription, to page: inout MarkdownPage, _ objects: inout SharedObjects
  ) {
    page.line("### \(notification.name)")
    let direction = notification.direction == .toClient ? "to the client" : "to the daemon"
    page.line("\(notification.summary) *notification \(direction), since \(notification.since)*")
    page.table(of: notification.params, &objects)
    let message: JSONValue = [
      "jsonrpc": "2.0", "method": .string(notification.name), "params": notification.exampleParams,
    ]
    page.code([PrettyJSON.text(of: message)])
  }
}
