import Wire

/// The changes of a text as one text: deleted and inserted parts are marked, by colours or as `wdiff` does.
///
///     Return [-the-]{+both+} [-book-]{+books+}
struct ShownDiff {
  private enum Kind: String {
    case same, removed, added
  }

  private let pieces: [(kind: Kind, text: String)]

  // Private-use characters that represent the colours until the lines are wrapped.
  private static let removed: Character = "\u{E000}"
  private static let added: Character = "\u{E001}"
  private static let same: Character = "\u{E002}"

  /// Nil for a value that is not a difference of texts.
  init?(_ value: JSONValue?) {
    guard let list = value?["pieces"]?.arrayValue, !list.isEmpty else { return nil }
    pieces = list.compactMap { piece in
      guard let kind = piece["kind"]?.stringValue.flatMap(Kind.init), let text = piece["text"]?.stringValue else {
        return nil
      }
      return (kind, text)
    }
    guard pieces.count == list.count else { return nil }
  }

  /// The change of a field in a version, with the display strings of its values if there are any.
  init?(of field: JSONValue) {
    guard let words = field["display"], let before = words["before"]?.stringValue,
      let after = words["after"]?.stringValue
    else {
      self.init(field["diff"])
      return
    }
    let pieces = [("removed", before), ("added", after)].filter { !$0.1.isEmpty }
    self.init(["pieces": .array(pieces.map { ["kind": .string($0.0), "text": .string($0.1)] })])
  }

  /// The text before.
  var older: String { pieces.filter { $0.kind != .added }.map(\.text).joined() }

  func lines(width: Int, _ ink: Ink) -> [String] {
    guard ink.isOn else {
      let text = pieces.map { piece in
        switch piece.kind {
        case .same: piece.text
        case .removed: "[-\(piece.text)-]"
        case .added: "{+\(piece.text)+}"
        }
      }
      return TerminalText.lines(text.joined(), width: width)
    }
    let marks = [Self.removed, Self.added, Self.same]
    let text = pieces.map { piece in
      let plain = piece.text.filter { !marks.contains($0) }
      switch piece.kind {
      case .same: return plain
      case .removed: return "\(Self.removed)\(plain)\(Self.same)"
      case .added: return "\(Self.added)\(plain)\(Self.same)"
      }
    }
    var mark = Self.same
    return TerminalText.lines(text.joined(), width: width).map { Self.colored($0, from: &mark, ink) }
  }

  /// A piece may continue on the next line.
  private static func colored(_ line: String, from mark: inout Character, _ ink: Ink) -> String {
    var colored = ""
    var run = ""
    func drawn() -> String { mark == removed ? ink.alarming(run) : mark == added ? ink.fresh(run) : run }
    for character in line {
      if [removed, added, same].contains(character) {
        colored += drawn()
        (run, mark) = ("", character)
      } else {
        run.append(character)
      }
    }
    return colored + drawn()
  }
}
