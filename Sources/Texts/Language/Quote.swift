import Contract
import Kit
import Store
import Wire

/// A passage of a text that may be quoted from a document: a block quote, or a long text in quotation marks.
enum Quote {
  /// A shorter one may be anything.
  static let shortest = 25
  /// `documents/locate` needs no longer one.
  static let longest = 2_000

  /// The quote at a line; nil if there is none.
  static func around(_ line: Int, in text: OpenText) -> String? {
    if let block = block(around: line, in: text) { return block }
    return marked(in: text.content(line))
  }

  /// The lines of a block quote, joined.
  private static func block(around line: Int, in text: OpenText) -> String? {
    func quoted(_ number: Int) -> Substring? {
      guard text.lines.indices.contains(number) else { return nil }
      let content = text.content(number).drop { $0 == " " }
      return content.first == ">" ? content.dropFirst().drop { $0 == " " } : nil
    }
    guard quoted(line) != nil else { return nil }
    var (first, last) = (line, line)
    while line - first < 50, quoted(first - 1) != nil { first -= 1 }
    while last - line < 50, quoted(last + 1) != nil { last += 1 }
    return whole((first...last).compactMap(quoted).joined(separator: " "))
  }

  private static let marks: [(open: Character, close: Character)] = [
    ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("\"", "\""),
  ]

  private static func marked(in content: String) -> String? {
    for (open, close) in marks {
      guard let start = content.firstIndex(of: open) else { continue }
      let rest = content[content.index(after: start)...]
      guard let end = rest.firstIndex(of: close) else { continue }
      if let quote = whole(String(rest[..<end])) { return quote }
    }
    return nil
  }

  private static func whole(_ text: String) -> String? {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count >= shortest ? String(text.prefix(longest)) : nil
  }

  /// The best passage of the documents for a quote; nil if none is similar enough.
  ///
  /// - Throws: the errors of `documents/locate`.
  static func locate(_ quote: String, for caller: FeatureCaller) async throws -> Passage? {
    let result = try await caller.services.library.call(
      "documents/locate", ["quote": .string(quote), "limit": 1], as: caller)
    return result["items"]?[0].flatMap(Passage.init)
  }

  struct Passage: Sendable {
    var document: String
    var title: String
    var label: String
    var link: String
    /// From 0 to 1.
    var score: Double
    /// As the document has it.
    var text: String

    init?(_ value: JSONValue) {
      guard let document = value["document"]?.stringValue, let title = value["title"]?.stringValue,
        let link = value["link"]?.stringValue, let text = value["text"]?.stringValue
      else { return nil }
      (self.document, self.title, self.link, self.text) = (document, title, link, text)
      label = value["label"]?.stringValue ?? ""
      score = value["score"]?.doubleValue ?? 0
    }

    func sentence(for caller: FeatureCaller) -> String {
      caller.words(
        Text(
          "text.passage", ["title": title, "page": label, "score": String(Int((score * 100).rounded()))]))
    }

    var target: TextTarget? {
      StableLink(link).map { TextTarget(collection: $0.collection, id: $0.item, places: $0.places) }
    }

    /// Where a text of the library shows the passage, which may go on in the text of the next page; nil if it does not.
    ///
    /// - Throws: the errors of `LibraryTextForm.render`.
    func range(in uri: String, for caller: FeatureCaller) async throws -> PositionRange? {
      try await caller.services.library.read(as: caller) { snapshot in
        guard let path = snapshot.services.desk.path(of: uri), let shown = try TextPlaces(snapshot).render(path) else {
          return nil
        }
        let lines = TextLines.split(shown.text).map(String.init)
        guard let place = PassagePlace(of: text, in: lines) else { return nil }
        func position(_ end: PassagePlace.End) -> TextPosition {
          let character = snapshot.reader.positionEncoding.character(ofByte: end.byte, in: lines[end.line])
          return TextPosition(line: end.line, character: character)
        }
        return PositionRange(position(place.start), position(place.end))
      }
    }
  }
}

extension FeatureCaller {
  /// A sentence in the client's language.
  func words(_ text: Text) -> String { services.catalogue.string(for: text, language: reader.language) }
}
