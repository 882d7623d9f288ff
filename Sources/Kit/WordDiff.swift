import Contract
import Store
import Wire

/// The difference of two texts, in pieces: unchanged, removed and added ones.
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
      "kind": "Whether the piece is in both texts, in the older, or in the newer.", "text": "The piece.",
    ]
  }

  package var unit: Unit
  package var pieces: [Piece]

  package static let example = TextDiff(unit: .words, pieces: [.example])
  package static let fields = [
    "unit":
      "The unit compared: `words`; `lines` or `whole` texts if so much changed that comparing words would take long.",
    "pieces": "The pieces in order. `same` and `removed` form the older text, `same` and `added` the newer.",
  ]

  private init(unit: Unit, pieces: [Piece]) {
    self.unit = unit
    self.pieces = pieces
  }

  /// Compares byte for byte: a character that was only composed differently counts as changed.
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

  private static func pieces(_ old: [Substring], _ new: [Substring]) -> [Piece]? {
    let same = SamePieces(old[...], new[...])
    guard same.isComplete else { return nil }
    var list = PieceList()
    var (left, right) = (0, 0)
    for pair in same.pairs + [(old.count, new.count)] {
      for piece in old[left..<pair.old] { list.add(.removed, piece) }
      for piece in new[right..<pair.new] { list.add(.added, piece) }
      if pair.old < old.count { list.add(.same, old[pair.old]) }
      (left, right) = (pair.old + 1, pair.new + 1)
    }
    return list.pieces
  }
}

/// Pieces, with adjacent pieces of one kind merged.
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
