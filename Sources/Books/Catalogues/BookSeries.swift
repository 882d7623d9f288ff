import Contract
import Exchange
import Kit
import SearchEngine
import Store
import Wire

/// A series that a book is part of, with its number in it.
struct BookSeries: Payload, Equatable {
  var name: String
  var number: Double?
  /// Greater than `number`.
  var last: Double?
  static let example = BookSeries(name: "Earthsea", number: 2)
  static let fields = [
    "name": "The name of the series.", "number": "The book's number in it: 1, 2, 2.5.",
    "last": "The last number of a book that contains several: 3 for `1-3`.",
  ]
  static let limits: [String: FieldLimits] = [
    "name": .length(1...BookFacts.longestLine, notBlank: true), "number": .range(numbers), "last": .range(numbers),
  ]
  private static let numbers: ClosedRange<Double> = 0...1_000_000
}

extension BookSeries {
  /// A series of a file, whose number may be a text: `2`, `2.5`, `#2`, `1-3`, `1, #2`.
  ///
  /// - Returns: nil for a blank name.
  init?(_ name: String?, _ number: String?) {
    guard let name = name?.readable else { return nil }
    self.name = String(name.unicodeScalars.prefix(BookFacts.longestLine))
    guard let text = number, let found = text.firstMatch(of: /[0-9][0-9.]*(?:\s*[-–,&+]\s*#?[0-9][0-9.]*)*/) else {
      return
    }
    let numbers = found.output.split { !$0.isNumber && $0 != "." }.map { digits in
      Double(digits).flatMap { Self.numbers.contains($0) ? $0 : nil }
    }
    self.number = numbers[0]
    // `1, 5` are no range.
    let isRange =
      found.output.contains { "-–".contains($0) }
      || zip(numbers, numbers.dropFirst()).allSatisfy {
        guard let one = $0, let next = $1 else { return false }
        return next == one + 1
      }
    guard isRange, let first = numbers[0], let last = numbers.last ?? nil, last > first else { return }
    self.last = last
  }

  /// The series to store, each name once; nil if there are none.
  static func stored(_ series: [BookSeries]) -> [BookSeries]? {
    var names: Set<String> = []
    let all = series.compactMap { one in
      one.name.readable.flatMap {
        names.insert(foldedText($0)).inserted ? BookSeries(name: $0, number: one.number, last: one.checkedLast) : nil
      }
    }.prefix(BookFacts.mostSeries)
    return all.isEmpty ? nil : Array(all)
  }

  /// The last number, unless there is no lower one.
  private var checkedLast: Double? {
    guard let number, let last, last > number else { return nil }
    return last
  }

  /// Splits a title from the series after it, as Goodreads writes them, `Sabriel (Abhorsen, #1)`,
  /// `Mort (Discworld, #4; Death, #1-3)`, and as Amazon does, `Sabriel (Abhorsen Book 1)`.
  ///
  /// - Returns: nil if there are none, or if not all of the parentheses can be stored as series.
  static func split(_ title: String?) -> (title: String, series: [BookSeries])? {
    guard let title = title?.readable, let start = parentheses(after: title),
      let bare = String(title[..<start]).readable, title[start...].utf8.count <= BookFacts.longestLine
    else { return nil }
    let parts = title[start...].dropFirst().dropLast().split(separator: ";")
    let all = parts.compactMap(part)
    // `(a novel)` names no series.
    guard all.contains(where: { $0.number != nil }), all.count == parts.count, let series = stored(all),
      series.count == parts.count
    else { return nil }
    return (bare, series)
  }

  /// One of the series in parentheses; nil for anything else, and for numbers that no series has.
  private static func part(_ text: Substring) -> BookSeries? {
    func isNumber(_ rest: Substring) -> Bool {
      rest.utf8.count <= 64 && rest.first.map { ("0"..."9").contains($0) } ?? false
        && rest.allSatisfy { "0123456789-–.,&+# ".contains($0) }
    }
    let hash = text.indices.first { text[$0] == "#" && isNumber(text[text.index(after: $0)...].drop { $0 == " " }) }
    let book = text.ranges(of: " Book ").last.flatMap { isNumber(text[$0.upperBound...]) ? $0 : nil }
    guard let start = hash ?? book?.lowerBound else {
      // `(Tiffany Aching; Discworld, #30)`: one of several may have no number.
      return text.contains("#") ? nil : BookSeries(String(text), nil)
    }
    let numbers = text[start...]
    let name = text[..<start].reversed().drop { $0 == " " || $0 == "," }.reversed()
    let count = numbers.split { !$0.isNumber && $0 != "." }.count
    let one = BookSeries(String(name), String(numbers))
    return one.flatMap { $0.number != nil && (count == 1 || $0.last != nil) ? $0 : nil }
  }

  /// The start of the parentheses at the end of a title, which may contain others.
  private static func parentheses(after title: String) -> String.Index? {
    guard title.hasSuffix(")") else { return nil }
    var depth = 0
    for index in title.indices.reversed() {
      if title[index] == ")" { depth += 1 }
      if title[index] == "(" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// A title with the series after it, which ``split(_:)`` reads again; without them if it would not.
  static func joined(_ title: String, _ series: [BookSeries]?) -> String {
    guard let series else { return title }
    let names = series.map { one in one.numbers.map { "\(one.name), #\($0)" } ?? one.name }
    let joined = "\(title) (\(names.joined(separator: "; ")))"
    let read = split(joined)
    return read?.title == title && read?.series == series ? joined : title
  }

  /// A series in the words of a library's catalogue: `Discworld ; 4`, `The Old Kingdom -- bk. 1`, `Earthsea, #2`.
  init?(catalogued text: String) {
    let separator = text.indices.first { index in
      ";([".contains(text[index]) || text[index...].hasPrefix("--") || text[index...].hasPrefix(", #")
    }
    let name = separator.map { text[..<$0] } ?? text[...]
    self.init(String(name), separator.map { String(text[$0...]) })
  }

  /// `Discworld #4; Death #1`: a cell of a table.
  static func cell(_ series: [BookSeries]?) -> String { (series ?? []).map(\.written).joined(separator: "; ") }

  /// The series in a cell.
  static func read(cell: String?) -> [BookSeries]? {
    stored(
      (cell ?? "").split(separator: ";").compactMap { part in
        guard let hash = part.lastIndex(of: "#") else { return BookSeries(String(part), nil) }
        return BookSeries(String(part[..<hash]), String(part[hash...]))
      })
  }

  /// `Earthsea #2`
  var written: String { numbers.map { "\(name) #\($0)" } ?? name }

  /// `2`, `2.5`, `1-3`
  var numbers: String? {
    let texts = [number, number == nil ? nil : last].compactMap { $0 }.map {
      Int64(exactly: $0).map(String.init) ?? String($0)
    }
    return texts.isEmpty ? nil : texts.joined(separator: "-")
  }
}
