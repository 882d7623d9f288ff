/// A sentence of the catalogue with placeholders.
///
/// - `{name}` is replaced by the argument `name`.
/// - `{type.expected}` is replaced by the catalogue's `type.…` for the argument `expected`: a translated word.
/// - `{count|page|pages}` is the first word if the argument `count` is 1, otherwise the second.
/// - In Korean `을(를)`, `이(가)`, `은(는)`, `와(과)`, `(으)로` after a placeholder become the particle that fits the inserted
///   text; quotes between the two do not matter.
///
/// Arguments are never parsed as templates: text of users cannot contain placeholders.
struct Template: Sendable {
  private enum Piece {
    case words(String)
    case place(name: String, source: String)
    case word(family: String, name: String, source: String)
    case plural(name: String, one: String, other: String, source: String)
  }

  private let pieces: [Piece]

  init(_ text: String) {
    pieces = Self.parse(text[...])
  }

  /// The names of the required arguments.
  var places: Set<String> {
    Set(
      pieces.compactMap { piece in
        switch piece {
        case .words: nil
        case .place(let name, _), .word(_, let name, _), .plural(let name, _, _, _): name
        }
      })
  }

  /// `word` returns words of the catalogue by key; an unknown key is replaced by the argument.
  func filled(
    with arguments: [String: String], in language: Language, word: (_ key: String) -> String? = { _ in nil }
  ) -> String {
    var result = ""
    for piece in pieces {
      switch piece {
      case .words(let words):
        if language == .korean { Particle.append(words, to: &result) } else { result += words }
      case .place(let name, let source):
        result += arguments[name] ?? source
      case .word(let family, let name, let source):
        result += arguments[name].map { word("\(family).\($0)") ?? $0 } ?? source
      case .plural(let name, let one, let other, let source):
        guard let count = arguments[name] else {
          result += source
          continue
        }
        result += count == "1" ? one : other
      }
    }
    return result
  }

  private static func parse(_ text: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text
    var wordsStart = rest.startIndex
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { break }
      rest = rest[rest.index(after: close)...]
      guard let piece = place(text[open...close]) else { continue }
      if wordsStart < open { pieces.append(.words(String(text[wordsStart..<open]))) }
      pieces.append(piece)
      wordsStart = rest.startIndex
    }
    if wordsStart < text.endIndex { pieces.append(.words(String(text[wordsStart...]))) }
    return pieces
  }

  /// Braces around anything but a name are text: a sentence may show JSON.
  private static func place(_ source: Substring) -> Piece? {
    let parts = source.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
    let names = parts.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard let name = names.last, names.allSatisfy(isName) else { return nil }
    if names.count == 2, parts.count == 1 {
      return .word(family: String(names[0]), name: String(name), source: String(source))
    }
    guard names.count == 1 else { return nil }
    switch parts.count {
    case 1: return .place(name: String(name), source: String(source))
    case 3:
      return .plural(name: String(name), one: String(parts[1]), other: String(parts[2]), source: String(source))
    default: return nil
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
