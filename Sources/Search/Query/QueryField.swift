import Contract
import SearchEngine
import Store

/// The field names that may precede a colon. Any other word before a colon is text, as in `http://`.
enum QueryField: String, Choice {
  /// Searches words in titles only.
  case title
  case `in`, `is`, tag, journal, before, after, due, start
  /// Who wrote it, or where it was published.
  case from

  /// Alternative names, as collections and states have them too.
  private static let called: [String: QueryField] = [
    "제목": .title, "태그": .tag, "일기장": .journal, "기한": .due, "마감": .due, "시작": .start, "출처": .from,
  ]

  /// A name as the user wrote it, in any case.
  init?(written: String) {
    guard let field = QueryField(rawValue: written.lowercased()) ?? Self.called[written] else { return nil }
    self = field
  }

  /// The names for which a misspelling is considered: every word of two letters is near to `in` and `is`.
  private static let likely = allCases.map(\.rawValue).filter { $0.count > 2 } + called.keys.sorted()
  private static let decomposed = likely.map { $0.normalized(.nfd) }

  /// Words that are similar to a field, but are common before a colon.
  private static let ordinary: Set<String> = [
    "기간", "기만", "기반", "기안", "기판", "기하", "기함", "기합", "시한",  // 기한
    "가감", "마가", "마담", "만감", "미감", "사감", "차감",  // 마감
    "세목", "제독", "제모", "제몫", "제복", "조목", "주목", "지목",  // 제목
    "개그", "태고", "태극",  // 태그
    "stag", "tang",  // tag
    "dude", "duel", "duet", "duke", "dune", "dupe",  // due
    "form", "frog", "prom",  // from
    "출차",  // 출처
    "smart", "star", "stare", "stark", "stat", "tart",  // start
    "사작", "소작", "수작", "시각", "시장", "시적",  // 시작
  ]

  /// The field that an unknown word may be meant as: all but one letter match, for Hangul all but one jamo. By
  /// syllables half of all words of two would be near to a field, as 항목 and 제출 to 제목.
  static func nearest(to written: String) -> String? {
    // Folded, a decomposed syllable (NFD) is one character, as in the names.
    let word = foldedText(written)
    guard word.count > 1, word.allSatisfy(\.isLetter), !ordinary.contains(word) else { return nil }
    let name = likelyName(for: word.normalized(.nfd), among: decomposed, most: 1)
    // In its declared form: `==` treats both forms as equal.
    guard let field = likely.first(where: { $0 == name }) else { return nil }
    // Most words that differ from a name of three letters in one letter, or lack one, are ordinary: tax, tab, bag,
    // cue, die.
    return field.count != 3 || word.count > 3 || word.sorted() == field.sorted() ? field : nil
  }
}
