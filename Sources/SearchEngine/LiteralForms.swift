import SQLite

/// Ranks texts with the query words exactly as typed above others. The index folds traditional to simplified
/// characters, katakana to hiragana, wide to narrow characters, ß to ss; and of `C++` and `#tag` it contains the
/// letters alone.
///
/// Testing the exact form requires reading a text; so only the best hits are tested, and only where it matters. They
/// stay before all other hits.
///
///     C++, C#, #tag     200    without the signs it is another word, which may be very frequent
///     紅, テレビ, ß, ss    60    the same word in another spelling; for ss only texts that may contain ß are read
///     apple              20    if there are no more hits: these are about to be shown
struct LiteralForms {
  private static let mostSigned = 200
  private static let mostFolded = 60
  private static let mostPlain = 20
  /// Each word is tested separately.
  private static let mostWords = 4

  /// The factor for the rank of a text without the words as typed.
  private static let signedShare = 0.01
  private static let foldedShare = 0.7

  private let words: [MatchQuery.Term]
  private let most: Int
  private let share: Double

  /// - Parameter found: the number of matching texts; nil if unknown.
  init?(_ query: MatchQuery, found: Int?) {
    let terms = query.wantedTerms
    let signed = terms.filter { $0.text.unicodeScalars.contains(where: Self.isSign) }
    let folded = terms.filter { Self.isFolded($0.text) }
    if !signed.isEmpty {
      (words, most, share) = (signed, Self.mostSigned, Self.signedShare)
    } else if !folded.isEmpty {
      (words, most, share) = (folded, Self.mostFolded, Self.foldedShare)
    } else if let found, found <= Self.mostPlain {
      // Hangul has only one form.
      words = terms.filter { $0.text.utf8.contains { $0 < 0x80 } }
      (most, share) = (Self.mostPlain, Self.foldedShare)
    } else {
      return nil
    }
    if words.isEmpty || words.count > Self.mostWords { return nil }
  }

  private static let statement = CachedStatement(
    "SELECT cp_literal(?1, ?2, title, tags, body) FROM search_body WHERE rowid = ?3")

  /// The hits in their new order.
  ///
  /// - Parameter hits: best first.
  /// - Throws: `DatabaseError`.
  func ranked(_ hits: [RankedText], in db: Database) throws -> [RankedText] {
    if hits.count < 2 { return hits }
    var best = Array(hits.prefix(most))
    for place in best.indices {
      let literal = try words.count { try has(best[place], $0, in: db) }
      best[place].rank *= share + (1 - share) * Double(literal) / Double(words.count)
    }
    return SearchIndex.best(best) + hits.dropFirst(most)
  }

  private func has(_ hit: RankedText, _ word: MatchQuery.Term, in db: Database) throws -> Bool {
    if !hit.mayFold, isDoubleS(word) { return true }
    return try db.first(
      Self.statement,
      {
        $0.add(word.text)
        $0.add(word.isPrefix)
        $0.add(hit.row)
      }, { $0.bool(0) }) ?? false
  }

  /// Whether the word is ASCII and tested only because of its ss: a text without folded characters contains it as
  /// typed.
  private func isDoubleS(_ word: MatchQuery.Term) -> Bool {
    most == Self.mostFolded && word.text.utf8.allSatisfy { $0 < 0x80 } && Self.isFolded(word.text)
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol: true
    default: "#@%&".unicodeScalars.contains(scalar)
    }
  }

  private static func isFolded(_ text: String) -> Bool {
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFD:
        return true
      case 0xDF, 0x1E9E: return true
      case 0x53, 0x73: if last == "s" || last == "S" { return true }
      default: break
      }
      last = scalar
    }
    return false
  }
}
