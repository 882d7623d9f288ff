import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/semanticTokens/full`.
enum ColorText: LanguageMethod {
  static let name = "textDocument/semanticTokens/full"
  static let summary = "The boxes, links, days, tags and anchors of a text as tokens."
  static let replacesOlder = true
  typealias Params = TextParams
  typealias Result = JSONValue

  /// The order of both is that of the numbers in the result.
  static let types = ["comment", "string", "number", "keyword", "class"]
  static let modifiers = ["deprecated"]
  private enum Kind: Int64 { case comment, string, number, keyword, tag }

  static func prepare(_ params: TextParams, in snapshot: Snapshot) -> TextRequest? {
    TextRequest(params.textDocument.uri, in: snapshot)
  }

  static func answer(_ request: TextRequest, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let data: [JSONValue] = try await caller.services.library.read(as: caller) { snapshot in
      tokens(of: request.text, snapshot).flatMapDelta(in: request)
    }
    try request.requireCurrent()
    return ["data": .array(data)]
  }

  fileprivate struct Token {
    var line: Int
    var range: Range<Int>
    var kind: Int64
    var modifiers: Int64 = 0
  }

  private static func tokens(of text: OpenText, _ snapshot: Snapshot) -> [Token] {
    let isProse = TextScan.isProse(text.languageID)
    var links = text.scan.links[...]
    var tokens: [Token] = []
    for line in text.lines.indices {
      var ofLine: [Token] = []
      while let link = links.first, link.line == line {
        ofLine.append(Token(line: line, range: link.range, kind: Kind.string.rawValue))
        links.removeFirst()
      }
      if isProse, !text.fenced.contains(line) { ofLine += fields(of: text.content(line), line, snapshot) }
      ofLine.sort { $0.range.lowerBound < $1.range.lowerBound }
      // Tokens do not overlap: a tag in a link is the link's.
      for token in ofLine
      where tokens.last.map({ $0.line < line || $0.range.upperBound <= token.range.lowerBound }) ?? true {
        tokens.append(token)
      }
    }
    return tokens
  }

  private static func fields(of content: String, _ line: Int, _ snapshot: Snapshot) -> [Token] {
    guard content.contains(where: { "#:^[".contains($0) }) else { return [] }
    var tokens: [Token] = []
    let box = content.box
    if box != nil, let start = content.utf8.firstIndex(of: UInt8(ascii: "[")) {
      let offset = content.utf8.distance(from: content.startIndex, to: start)
      tokens.append(Token(line: line, range: offset..<offset + 3, kind: Kind.keyword.rawValue))
    }
    for field in content.fields {
      switch field.name {
      case .tag: tokens.append(Token(line: line, range: field.range, kind: Kind.tag.rawValue))
      case .after: tokens.append(Token(line: line, range: field.range, kind: Kind.comment.rawValue))
      case .due where box != nil:
        let isLate = box == .open && field.day(in: snapshot).map { DayDistance($0, in: snapshot).isOverdue } ?? false
        tokens.append(Token(line: line, range: field.range, kind: Kind.number.rawValue, modifiers: isLate ? 1 : 0))
      case .start where box != nil:
        tokens.append(Token(line: line, range: field.range, kind: Kind.number.rawValue))
      case .due, .start: break
      }
    }
    if let anchor = content.anchor {
      tokens.append(Token(line: line, range: anchor.range, kind: Kind.comment.rawValue))
    }
    return tokens
  }
}

extension [ColorText.Token] {
  /// Five numbers for each token, the place relative to the one before.
  fileprivate func flatMapDelta(in request: TextRequest) -> [JSONValue] {
    var (line, start) = (0, 0)
    var data: [JSONValue] = []
    for token in self {
      let range = request.text.range(token.line, token.range, in: request.encoding)
      if token.line != line { start = 0 }
      let numbers = [
        Int64(token.line - line), Int64(range.start.character - start),
        Int64(range.end.character - range.start.character), token.kind, token.modifiers,
      ]
      data += numbers.map { .integer($0) }
      (line, start) = (token.line, range.start.character)
    }
    return data
  }
}
