import Contract
import Wire

/// What became of a text, in pieces: those that stayed, those that went, those that came.
package struct TextDiff: Payload {
  package enum Unit: String, Choice {
    case words, lines, whole
  }

  package struct Piece: Payload, Equatable {
    package enum Kind: String, Choice {
      case same, removed, added
    }

    package var kind: Kind
    package var text: String
    package static let example = Piece(kind: .added, text: "and back")
    package static let fields = [
      "kind": "Whether it stands in both texts, in the older, or in the newer.", "text": "The piece.",
    ]
  }

  package var unit: Unit
  package var pieces: [Piece]

  package static let example = TextDiff(unit: .words, pieces: [.example])
  package static let fields = [
    "unit": "What was compared: `words`; `lines` and `whole` texts where so much changed that words would take long.",
    "pieces": "In order. `same` and `removed` together are the older text, `same` and `added` the newer.",
  ]

  private init(unit: Unit, pieces: [Piece]) {
    self.unit = unit
    self.pieces = pieces
  }

  /// Compares byte for byte: a letter that was only composed in another way has changed.
  package init(from old: String, to new: String) {
    let words = (TextPieces.words(of: old), TextPieces.words(of: new))
    if let pieces = Self.pieces(words.0, words.1) {
      self.init(unit: .words, pieces: pieces)
    } else if let pieces = Self.pieces(TextPieces.lines(of: old), TextPieces.lines(of: new)) {
      self.init(unit: .lines, pieces: pieces)
    } else {
      self.init(unit: .whole, pieces: [Piece(kind: .removed, text: old), Piece(kind: .added, text: new)])
    }
  }

  /// The time of a comparison grows with the number of pieces times the number of differences.
  private static let limit = 3_000

  private static func pieces(_ old: [Substring], _ new: [Substring]) -> [Piece]? {
    let shorter = min(old.count, new.count)
    let head = (0..<shorter).first { !same(old[$0], new[$0]) } ?? shorter
    let tail = (0..<shorter - head).first { !same(old[old.count - 1 - $0], new[new.count - 1 - $0]) } ?? shorter - head
    let (oldRest, newRest) = (old[head..<old.count - tail], new[head..<new.count - tail])
    guard oldRest.count + newRest.count <= limit else { return nil }
    var list = PieceList()
    for piece in old[..<head] { list.add(.same, piece) }
    compare(Array(oldRest), Array(newRest), into: &list)
    for piece in old[(old.count - tail)...] { list.add(.same, piece) }
    return list.pieces
  }

  private static func compare(_ old: [Substring], _ new: [Substring], into list: inout PieceList) {
    // Swift calls texts equal that are composed differently, so their bytes are compared.
    let difference = new.map { Array($0.utf8) }.difference(from: old.map { Array($0.utf8) })
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      while left < old.count, removed.contains(left) {
        list.add(.removed, old[left])
        left += 1
      }
      while right < new.count, added.contains(right) {
        list.add(.added, new[right])
        right += 1
      }
      if left < old.count, right < new.count {
        list.add(.same, old[left])
        left += 1
        right += 1
      }
    }
  }

  private static func same(_ left: Substring, _ right: Substring) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

/// Pieces, those of one kind that touch as one.
private struct PieceList {
  private(set) var pieces: [TextDiff.Piece] = []

  mutating func add(_ kind: TextDiff.Piece.Kind, _ text: Substring) {
    if pieces.last?.kind == kind {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(TextDiff.Piece(kind: kind, text: String(text)))
    }
  }
}

private enum TextPieces {
  private enum Kind {
    case blank, word
    /// Stands for itself: punctuation, and the letters of scripts that put no blanks between words.
    case single
  }

  static func words(of text: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var previous: Kind?
    for index in text.indices {
      let kind = kind(of: text[index])
      if let previous, kind == .single || kind != previous {
        pieces.append(text[start..<index])
        start = index
      }
      previous = kind
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      let next = rest.index(after: end)
      lines.append(rest[..<next])
      rest = rest[next...]
    }
    if !rest.isEmpty { lines.append(rest) }
    return lines
  }

  private static func kind(of character: Character) -> Kind {
    if character.isWhitespace { return .blank }
    guard let scalar = character.unicodeScalars.first, scalar.properties.isAlphabetic || character.isNumber else {
      return .single
    }
    switch scalar.value {
    // Kana, Han.
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return .single
    default: return .word
    }
  }
}
