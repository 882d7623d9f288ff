import Contract
import Display
import Kit
import Store
import Wire

/// A mark in a text about what is wrong there.
struct TextDiagnostic: Sendable {
  enum Code: String, Sendable {
    case unknown, ambiguous, gone, renamed, overdue, day, anchor, readOnly, conflict, unsaved, removal, held, replaced
  }

  enum Severity: Int64, Sendable {
    case error = 1
    case warning, information, hint
  }

  var code: Code
  var severity: Severity
  var line: Int
  /// In UTF-8 bytes of the line.
  var range: Range<Int>
  var message: String
  var data: JSONObject = [:]
  /// The items that it may mean, of several.
  var candidates: [ItemKey] = []
  /// LSP's related information.
  var related: [JSONValue] = []

  func json(in text: OpenText, _ encoding: PositionEncoding) -> JSONValue {
    var value: JSONObject = [
      "range": text.range(line, range, in: encoding).json, "severity": .integer(severity.rawValue),
      "code": .string(code.rawValue), "source": "commonplace", "message": .string(message),
    ]
    if !data.isEmpty { value["data"] = .object(data) }
    if !related.isEmpty { value["relatedInformation"] = .array(related) }
    return .object(value)
  }
}

/// Finds what is wrong in open texts and publishes it, a moment after the last change.
enum Diagnostics {
  /// The quiet after the last change before a text is read.
  static let quiet: Duration = .milliseconds(150)
  /// While the client types without a pause, the text is read after so many quiet times all the same.
  private static let mostPauses = 10
  private static let most = 500

  /// Publishes the diagnostics of a text after a quiet moment. Calls in the meantime are one.
  static func publishSoon(_ uri: String, of client: LanguageClient, with services: Services) {
    guard client.schedule(uri) else { return }
    let pause = services.pause
    // A weak reference during the wait, so that the daemon can exit.
    Task { [weak services] in
      var version = client[uri]?.version
      for _ in 0..<mostPauses {
        await pause(quiet)
        let present = client[uri]?.version
        if present == version { break }
        version = present
      }
      client.unschedule(uri)
      guard let services, let text = client[uri] else { return }
      await publish(text, of: client, with: services)
    }
  }

  /// Publishes those of all open texts, after a commit or with a new day.
  static func publishAllSoon(with services: Services) {
    for client in services.languageClients.all {
      for text in client.texts { publishSoon(text.uri, of: client, with: services) }
    }
  }

  private static func publish(_ text: OpenText, of client: LanguageClient, with services: Services) async {
    guard text.isServed(with: services) else { return }
    let caller = client.caller
    do {
      let found = try await services.library.read(as: caller) { snapshot in
        try client.relatingCandidates(of: all(in: text, of: client, snapshot), in: snapshot)
      }
      let encoding = caller.reader.positionEncoding
      let written = found.map { $0.json(in: text, encoding) }
      guard client[text.uri]?.version == text.version, client.publishes(written, of: text.uri) else { return }
      let notice = try Notice(
        PublishDiagnostics.self,
        .init(
          uri: text.uri, version: client.abilities.versionedDiagnostics ? text.version : nil,
          diagnostics: written))
      services.library.send(notice, to: client.connectionID)
    } catch {
      // The library is closing, or the client left; the next change tries again.
      services.log("the diagnostics of a text failed: \(error)", as: .info)
    }
  }

  static func all(
    in text: OpenText, of client: LanguageClient, _ snapshot: Snapshot
  ) throws -> [TextDiagnostic] {
    let isLibraryText = text.path(in: snapshot.services) != nil
    var found = try links(in: text, isLibraryText: isLibraryText, of: client, snapshot)
    if text.hasCards(in: snapshot) { found += days(in: text, snapshot) }
    if try isNowhere(text, snapshot) {
      found.append(
        TextDiagnostic(
          code: .gone, severity: .warning, line: 0, range: 0..<text.line(0).contentCount,
          message: snapshot.words(Text("text.nothingHere"))))
    }
    if snapshot.services.liveTexts.isReported(text.uri, of: client) {
      found.append(
        TextDiagnostic(
          code: .conflict, severity: .information, line: 0, range: 0..<text.line(0).contentCount,
          message: snapshot.words(Text("text.changedElsewhere"))))
    }
    if isLibraryText, text.byteCount > RenderedText.mostBytes {
      found.append(
        TextDiagnostic(
          code: .unsaved, severity: .error, line: 0, range: 0..<text.line(0).contentCount,
          message: snapshot.words(Text("text.noDraft", ["size": String(RenderedText.mostBytes >> 20)]))))
    }
    found += client.problems(of: text.uri)?.diagnostics(in: text) ?? []
    return Array(found.prefix(most))
  }

  /// Whether it is a file of the desk that was never laid, and for which the library has nothing.
  private static func isNowhere(_ text: OpenText, _ snapshot: Snapshot) throws -> Bool {
    guard let path = snapshot.services.laidText(text.uri),
      try TextBases.find(TextBases.name(ofFile: path), in: snapshot) == nil
    else { return false }
    do { return try TextPlaces(snapshot).render(path) == nil } catch is RPCError { return false }
  }

  private static func links(
    in text: OpenText, isLibraryText: Bool, of client: LanguageClient, _ snapshot: Snapshot
  ) throws -> [TextDiagnostic] {
    // In the reader's own files `[[x]]` may be another program's link.
    let tellsUnknown =
      client.abilities.unknownTitles == .everywhere || client.abilities.unknownTitles == .library && isLibraryText
    var found: [TextDiagnostic] = []
    for link in text.scan.links where found.count < most {
      let meaning = try snapshot.meaning(of: link.target, in: nil)
      if meaning.isFormer, meaning.trouble == nil, let item = try meaning.items.first.flatMap(snapshot.shown) {
        found.append(
          TextDiagnostic(
            code: .renamed, severity: .hint, line: link.line, range: link.range,
            message: snapshot.words(Text("links.renamed", ["title": item.title])), data: ["title": .string(item.title)])
        )
        continue
      }
      guard let trouble = meaning.trouble, trouble != .unknown || tellsUnknown else { continue }
      var diagnostic = TextDiagnostic(
        code: .unknown, severity: .warning, line: link.line, range: link.range,
        message: snapshot.words(Text("links.\(trouble.rawValue)")))
      switch trouble {
      case .unknown: break
      case .gone: diagnostic.code = .gone
      case .ambiguous:
        (diagnostic.code, diagnostic.severity) = (.ambiguous, .information)
        diagnostic.candidates = meaning.items
        diagnostic.data["candidates"] = .array(
          meaning.items.map { .string(StableLink(collection: $0.collection, item: $0.id).text) })
      }
      if case .title(let title) = link.target { diagnostic.data["title"] = .string(title) }
      found.append(diagnostic)
    }
    return found
  }

  /// Deadlines and starts that are no day, and deadlines of open cards that are past.
  private static func days(in text: OpenText, _ snapshot: Snapshot) -> [TextDiagnostic] {
    var found: [TextDiagnostic] = []
    for number in text.lines.indices where found.count < most {
      let content = text.content(number)
      guard content.anchor != nil, let box = content.box else { continue }
      for field in content.fields where field.isDay {
        guard let day = field.day(in: snapshot) else {
          found.append(
            TextDiagnostic(
              code: .day, severity: .error, line: number, range: field.range,
              message: snapshot.words(Text("text.noDay", ["value": field.value]))))
          continue
        }
        let distance = DayDistance(day, in: snapshot)
        guard field.name == .due, box == .open, distance.isOverdue else { continue }
        found.append(
          TextDiagnostic(
            code: .overdue, severity: .information, line: number, range: field.range, message: distance.short))
      }
    }
    return found
  }
}

/// The box of a line: `- [ ]` or `- [x]`.
enum TaskBox: Sendable { case open, done }

extension String {
  /// The box at the beginning of an item of a list.
  var box: TaskBox? {
    let rest = drop { $0 == " " || $0 == "\t" }
    guard let sign = rest.first, "-*+".contains(sign), rest.dropFirst().hasPrefix(" [") else { return nil }
    switch rest.dropFirst(3).prefix(2) {
    case " ]": return .open
    case "x]", "X]": return .done
    default: return nil
    }
  }
}
