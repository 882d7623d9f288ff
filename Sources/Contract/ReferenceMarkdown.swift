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
      "Params are passed by name. An optional param may be omitted; `null` means the same, except where the type says "
        + "*or null*: there an absent field keeps its value and `null` clears it. An unknown name is refused with the nearest "
        + "known one. Every result is an object. It has `clock`, the state of the library that it shows, unless the method's "
        + "kind is control. A write that changed nothing answers `changed: false`. LSP's own methods, marked *LSP*, ignore "
        + "unknown names and answer what LSP says.")
    page.line("Any request may carry:")
    page.table(of: RequestOptions.shape)
    page.line("The `dryRun` of a reply has:")
    page.table(of: DryRunReport.shape)
    page.line("### Bounds")
    page.line(
      "A message has at most 16 MiB, 128 levels, 500,000 values and, as a batch, 1,024 members; one that has more is "
        + "answered with an error, and nothing of it is done. Of one client 64 requests run at once. Where all of them wait "
        + "for the world outside, one more is answered `busy`; otherwise it waits, and while 1,024 messages or 4 MiB of "
        + "them wait, the client's input is not read. A cancel overtakes all that was read, so it comes as far as the "
        + "input is. While more than 4 MiB of replies are unsent, nothing more is begun, and what is fetched meanwhile is "
        + "answered when there is room. A file goes out with its reply up to 12 MiB.")
    page.line(
      "A message that was begun is completed in time, or its client is told so and disconnected: no 30 s may pass without "
        + "a byte of it, and all of it has to arrive within 30 s and one more second for each 64 KiB. A client with "
        + "unsent replies that accepts no byte for 30 s is disconnected. At most 256 clients are connected at once; the "
        + "next one is answered `busy` and disconnected.")
    page.line("### Pages")
    page.line("Every list is a page: its `items`, and how to go on.")
    page.table(of: Page<Empty>.shape)
    page.line("### Items")
    page.line(
      "`rpc.discover` describes items so that a front end can show those of any collection, also of one that it has no code "
        + "for. Each member of a reply that people have a word for has that as the `title` of its schema, in the client's "
        + "language. The schema of an item has `x-collection`, the collection's name; `x-item`, what one is called; "
        + "`x-title`, the path of the member that is its title, such as `display.title`; `x-columns`, the members for a table, "
        + "in this order; and `x-get`, the method that gets one by its id, or `x-list`, one that lists them where none gets "
        + "one. Neither asks the network; `changes/item` gets an item of any collection. `x-silent` is true where people are "
        + "notified of changes only if they asked for the collection. Where an item's `display` has a string of a member's "
        + "name, people read that.")
    page.line("### Days")
    page.line(
      "A param of the type *day* without a link is `2026-11-21`. With the link here it may also be said in words, in any "
        + "of the languages known, whatever the client's: `tomorrow`, `next friday`, `in 3 days`, `24 December`, `+2w`, `eom`, "
        + "`내일`, `다음 주 월요일`, `3일 후`, `来週の月曜日`, `下周一`. Weeks begin on Monday; `next friday` is next week's, `this friday` this week's; a "
        + "weekday alone or a date without a year lies ahead for what is to be done and back for what was, such as the "
        + "days of a diary. Today is the day in the client's time zone, which from the library's `dayStartsAt` on is the "
        + "date. What is not understood whole, or does not exist (`31 February`), is an error with examples, never today. "
        + "The reply has the day that was understood.")
    writeErrors(to: &page)
    var objects = SharedObjects()
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
      "`commonplace connect` joins standard input and output to the daemon, and starts one if none runs. A program may also "
        + "open the Unix socket: `$XDG_RUNTIME_DIR/commonplace.sock`, or, where that folder is not the user's alone, `run/s` in "
        + "the library's folder. `session/status` answers the path as `server.socket`.")
    page.line(
      "The first byte of a connection chooses its framing. `C` begins headers as in LSP: `Content-Length: N`, an empty "
        + "line, and N bytes of JSON; lines end with CR LF. `{` or `[` begins one JSON message a line, which ends with LF. "
        + "Replies use the framing of the requests.")
    page.line(
      "`initialize` is optional. Send it first to set the language and zone of `display` and errors, the position encoding, "
        + "and the client's name. With headers, notifications arrive after `initialized`; with lines, after "
        + "`changes/subscribe`.")
  }

  private func writeErrors(to page: inout MarkdownPage) {
    guard !errors.isEmpty else { return }
    page.line("## Errors")
    page.line(
      "An error has `code`, `message`, a sentence in the client's language, and `data`: `kind`, the stable name by which "
        + "programs tell errors apart; `key` of the sentence; `advice`, what to do, where there is something; and the members "
        + "named below. Codes of JSON-RPC and LSP have no kind: −32700 for a message that is not JSON, −32600 for one that is "
        + "not a request, −32601 for an unknown method, −32602 for params, with `data.field` and `data.reason`, −32603 for a "
        + "fault of the daemon, −32800 for a cancelled request.")
    let general = ErrorKind.general.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    page.line("Every request can meet \(general). Each method lists its other kinds.")
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

/// The objects that tables refer to, in the order in which they are met. Each is written once, after the methods of the
/// area that refers to it first.
struct SharedObjects {
  private var found: [ObjectShape] = []
  private var writtenCount = 0

  mutating func add(_ shape: ObjectShape) {
    if !found.contains(where: { $0.name == shape.name && $0.fields == shape.fields }) { found.append(shape) }
  }

  /// The next that has not been written.
  mutating func next() -> ObjectShape? {
    guard writtenCount < found.count else { return nil }
    defer { writtenCount += 1 }
    return found[writtenCount]
  }
}
