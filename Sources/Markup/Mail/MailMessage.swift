import Contract

/// A message of RFC 5322 and MIME, as far as a reader wants to keep it: who wrote it when, its text, and its files.
///
/// Hostile input is bounded: parts are nested ``deepest`` levels deep at most, and the first ``mostParts`` are read.
package struct MailMessage: Sendable {
  package struct File: Sendable {
    /// Without a folder; empty if the message does not name it.
    package var name: String
    package var bytes: [UInt8]
  }

  package private(set) var subject: String?
  package private(set) var from: String?
  package private(set) var to: String?
  package private(set) var date: Instant?
  /// Without angle brackets.
  package private(set) var id: String?
  /// Plain text with `\n` as line ends: the plain alternative, or else the text of the HTML.
  package private(set) var text = ""
  package private(set) var files: [File] = []

  package static let deepest = 16
  package static let mostParts = 1_000

  /// Nil for bytes without any of a message's usual fields.
  ///
  /// - Throws: what `checkCancelled` throws.
  package init?(_ bytes: [UInt8], checkCancelled: () throws -> Void = {}) throws {
    let (header, body) = MailHeader.read(bytes[...])
    guard ["from", "subject", "date", "message-id"].contains(where: { header.bytes($0) != nil }) else { return nil }
    (subject, from, to) = (header.text("subject"), header.text("from"), header.text("to"))
    date = header.text("date").flatMap { FeedDates.instant(String($0.prefix { $0 != "(" })) }
    let id = header.text("message-id").map { $0.drop { $0 == "<" }.prefix { $0 != ">" } }
    self.id = id.flatMap { $0.isEmpty ? nil : String($0.prefix(1_000)) }
    var reading = Reading()
    let found = try reading.content(header, body, depth: 0, checkCancelled)
    text = Self.trimmed(found.plain.isEmpty ? found.html : found.plain)
    files = found.files
  }

  private static func trimmed(_ texts: [String]) -> String {
    let text = texts.joined(separator: "\n\n").replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.allSatisfy(\.isWhitespace) }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The content of a part and of those in it.
  private struct Content {
    var plain: [String] = []
    /// The texts of HTML parts.
    var html: [String] = []
    var files: [File] = []

    static func + (left: Content, right: Content) -> Content {
      Content(plain: left.plain + right.plain, html: left.html + right.html, files: left.files + right.files)
    }

    /// The texts of one of several parts in their order, where one is plain and the next is HTML.
    var texts: Content { plain.isEmpty ? Content(plain: html, files: files) : Content(plain: plain, files: files) }
  }

  private struct Reading {
    var parts = 0

    mutating func content(
      _ header: MailHeader, _ body: ArraySlice<UInt8>, depth: Int, _ checkCancelled: () throws -> Void
    ) throws -> Content {
      try checkCancelled()
      parts += 1
      guard parts <= mostParts else { return Content() }
      let type = header.parameters("content-type")
      let kind = type.flatMap { $0.value.contains("/") ? $0.value : nil } ?? "text/plain"
      if kind.hasPrefix("multipart/"), depth < deepest, let boundary = type?["boundary"], !boundary.isEmpty {
        var found: [Content] = []
        for part in MailMessage.parts(of: body, boundary: Array(boundary.utf8)) {
          let (header, body) = MailHeader.read(part)
          found.append(try content(header, body, depth: depth + 1, checkCancelled))
        }
        let all = found.reduce(Content(), +)
        if kind == "multipart/alternative" {
          let isPlain = all.plain.contains { !$0.allSatisfy(\.isWhitespace) }
          return isPlain ? Content(plain: all.plain, files: all.files) : Content(html: all.html, files: all.files)
        }
        return found.map(\.texts).reduce(Content(), +)
      }
      let bytes = MailCoding.decoded(body, header.text("content-transfer-encoding"))
      let disposition = header.parameters("content-disposition")
      let name = MailMessage.fileName(disposition?["filename"] ?? type?["name"] ?? "")
      let isText = kind == "text/plain" || kind == "text/html"
      guard isText, disposition?.value != "attachment", name.isEmpty || disposition?.value == "inline" else {
        return Content(files: [File(name: name.isEmpty ? MailMessage.usualName(kind) : name, bytes: bytes)])
      }
      let decoded = MailWords.text(bytes, charset: type?["charset"])
      guard kind == "text/html" else { return Content(plain: [decoded]) }
      do {
        return Content(html: [try SafeHTML.clean(decoded, base: nil, checkCancelled: checkCancelled).text])
      } catch is MarkupFailure {
        return Content(files: [File(name: "message.html", bytes: bytes)])
      }
    }
  }

  /// The parts between lines that begin with `--boundary`; what is before the first and after the last is no part.
  private static func parts(of body: ArraySlice<UInt8>, boundary: [UInt8]) -> [ArraySlice<UInt8>] {
    let mark = Array("--".utf8) + boundary
    var (parts, rest, start) = ([ArraySlice<UInt8>](), body, Int?.none)
    while !rest.isEmpty, parts.count < mostParts {
      let (line, following) = MailLines.first(of: rest)
      let tail = line.starts(with: mark) ? line.dropFirst(mark.count) : nil
      let isEnd = tail?.starts(with: Array("--".utf8)) ?? false
      if let tail, isEnd || tail.allSatisfy({ $0 <= 0x20 }) {
        if let start { parts.append(body[start..<max(start, end(of: body, before: rest.startIndex))]) }
        if isEnd { return parts }
        start = following.isEmpty ? body.endIndex : following.startIndex
      }
      rest = following
    }
    // A message that is cut.
    if let start, start < body.endIndex { parts.append(body[start...]) }
    return parts
  }

  /// The line end before a boundary belongs to the boundary.
  private static func end(of body: ArraySlice<UInt8>, before index: Int) -> Int {
    var index = index
    if index > body.startIndex, body[index - 1] == 0x0a { index -= 1 }
    if index > body.startIndex, body[index - 1] == 0x0d { index -= 1 }
    return index
  }

  /// Without a folder and without controls.
  private static func fileName(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let clean = last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
    return String(String(String.UnicodeScalarView(clean)).prefix(200))
  }

  private static func usualName(_ kind: String) -> String {
    switch kind {
    case "message/rfc822": "message.eml"
    case "application/pgp-signature": "signature.asc"
    case "text/calendar": "invitation.ics"
    default: "attachment"
    }
  }
}
