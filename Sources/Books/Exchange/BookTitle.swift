import SearchEngine
import Store
import Wire

/// The parts of a title that distinguish books of one author: its words, its numbers, and its series, also those in
/// parentheses after it (`Sabriel (Abhorsen, #1)`).
struct BookTitle: Sendable {
  enum Relation: Sendable {
    /// The same words and numbers, apart from spelling variants.
    case same
    /// Only the user can decide: one has words or a number that the other lacks.
    case doubtful
    /// Another volume, part, number or edition.
    case other
  }

  /// Without numbers, words for volumes beside them, articles and spaces.
  private var words = ""
  /// The same without `+` and `#`, as in C++ and C#.
  private var letters = ""
  private var numbers: [String] = []
  /// The numbers that only the series states: `Saga (Saga, #2)`.
  private var volume: [String] = []
  /// The numbers in each series, by the words of its name.
  private var series: [String: String] = [:]

  init(_ facts: BookFacts) {
    let split = BookSeries.split(facts.title)
    let title = Self.withoutKind(split?.title ?? facts.title ?? "")
    let tokens = TitleToken.all(in: [title, facts.subtitle].compactMap(\.self).joined(separator: ": "))
    for token in tokens {
      switch token {
      case .number(let number): numbers.append(number)
      case .word(let word): words += word
      }
    }
    letters = BookLikeness.letters(words)
    for one in (facts.series ?? []) + (split?.series ?? []) {
      guard let numbers = one.numbers else { continue }
      let name = TitleToken.all(in: one.name).map(\.text).joined()
      series[name] = numbers
    }
    if numbers.isEmpty, let volume = series.removeValue(forKey: words) {
      self.volume = volume.split { !$0.isNumber }.map(String.init)
    }
  }

  func relation(to other: Self) -> Relation {
    let (own, others) = (numbers + volume, other.numbers + other.volume)
    if !own.isEmpty, !others.isEmpty, own != others { return .other }
    guard sameBytes(words, other.words) else {
      return !letters.isEmpty && sameBytes(letters, other.letters) ? .other : .doubtful
    }
    // A series may be numbered in two ways, by publication and by its inner chronology.
    let isSameSeries = series.allSatisfy { name, numbers in other.series[name].map { $0 == numbers } ?? true }
    // The first book of a series often has no number.
    let isFirst = own.isEmpty && other.volume == ["1"] || others.isEmpty && volume == ["1"]
    return (own == others || isFirst) && isSameSeries ? .same : .doubtful
  }

  /// Removes a subtitle that only names the genre.
  private static func withoutKind(_ title: String) -> String {
    guard let colon = title.lastIndex(where: { $0 == ":" || $0 == "：" }),
      kinds.contains(BookLikeness.letters(String(title[colon...])))
    else { return title }
    return String(title[..<colon])
  }

  /// Subtitles that some programs add.
  private static let kinds: Set = ["anovel", "novel", "amemoir", "aplay", "roman", "소설", "장편소설"]
}

/// A word or a number of a title.
private enum TitleToken {
  case word(String)
  case number(String)

  var text: String {
    switch self {
    case .word(let text), .number(let text): text
    }
  }

  /// A number has one form, however it is written (`Volume Two`, `Vol. 02`, `II`, `제2권` and `第二巻` are all 2). The word
  /// for a volume beside it is skipped, and so are articles and conjunctions, which some programs omit.
  static func all(in title: String) -> [Self] {
    let separated = foldedText(title).replacing(/第?([一二三四五六七八九十]{1,3})[巻卷冊册]/) { " 第 \($0.output.1) " }
    let pieces = pieces(of: separated)
    let numbers = pieces.indices.map { number(at: $0, of: pieces) }
    var tokens: [Self] = []
    for (index, piece) in pieces.enumerated() {
      let isBesideNumber =
        index > 0 && numbers[index - 1] != nil || index + 1 < pieces.count && numbers[index + 1] != nil
      if let number = numbers[index] {
        tokens.append(.number(number))
      } else if !articles.contains(piece), !isBesideNumber || !volumes.contains(piece) {
        tokens.append(.word(piece))
      }
    }
    return tokens.isEmpty ? pieces.map { .word($0) } : tokens
  }

  /// Runs of letters and runs of digits; `c++` and `c#` are one each.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var isOpen = false
    for character in text {
      let isDigit = isDigit(character)
      if isDigit || character.isLetter || character.isNumber {
        if isOpen, let last = pieces.last?.last, Self.isDigit(last) == isDigit {
          pieces[pieces.count - 1].append(character)
        } else {
          pieces.append(String(character))
        }
        isOpen = true
      } else if isOpen, character == "+" || character == "#", let last = pieces.last?.last, !Self.isDigit(last) {
        pieces[pieces.count - 1].append(character)
      } else {
        isOpen = false
      }
    }
    return pieces
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  private static func number(at index: Int, of pieces: [String]) -> String? {
    let piece = pieces[index]
    if piece.allSatisfy(isDigit) {
      let digits = piece.drop { $0 == "0" }
      return digits.isEmpty ? "0" : String(digits)
    }
    let isLast = index > 0 && index == pieces.count - 1
    let isAnnounced =
      index > 0 && announcing.contains(pieces[index - 1])
      || index + 1 < pieces.count && announcing.contains(pieces[index + 1])
    if piece.count > 1 || isLast || isAnnounced, let number = roman(piece) { return String(number) }
    if isLast, let part = parts[piece] { return part }
    guard isAnnounced else { return nil }
    let spelled = cardinals.firstIndex(of: piece) ?? ordinals.firstIndex(of: piece)
    return (spelled.map { $0 + 1 } ?? han(piece)).map(String.init)
  }

  /// Up to 39, which volumes and kings do not exceed; `mix` and `civil` are words.
  private static func roman(_ text: String) -> Int? {
    guard let match = text.wholeMatch(of: /(x{0,3})(ix|iv|v?i{0,3})/), !text.isEmpty else { return nil }
    let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"].firstIndex(of: String(match.output.2)) ?? 0
    return match.output.1.count * 10 + ones
  }

  /// `三`, `十二`, `二十`.
  private static func han(_ text: String) -> Int? {
    var (sum, digit) = (0, 0)
    for character in text {
      if character == "十" {
        sum += max(digit, 1) * 10
        digit = 0
      } else if let value = hanDigits.firstIndex(of: character) {
        digit = value + 1
      } else {
        return nil
      }
    }
    return sum + digit
  }

  private static let hanDigits: [Character] = Array("一二三四五六七八九")
  private static let articles: Set = ["a", "an", "and", "the"]
  private static let volumes: Set = [
    "vol", "vols", "volume", "volumes", "no", "nr", "number", "band", "bd", "tome", "tomo", "권", "제", "巻", "卷", "冊",
    "册", "第", "st", "nd", "rd", "th",
  ]
  private static let announcing = volumes.union(["book", "part", "teil", "부", "部"])
  private static let cardinals = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]
  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
  ]
  /// For books in two or three parts without numbers.
  private static let parts = [
    "上": "first", "中": "middle", "下": "last", "상": "first", "중": "middle", "하": "last", "上巻": "first",
    "中巻": "middle", "下巻": "last", "상권": "first", "중권": "middle", "하권": "last", "前編": "first", "後編": "last",
    "전편": "first", "후편": "last",
  ]
}
