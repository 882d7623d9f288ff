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
  static let example = BookSeries(name: "Earthsea", number: 2)
  static let fields = ["name": "The name of the series.", "number": "The book's number in it: 1, 2, 2.5."]
  static let limits: [String: FieldLimits] = [
    "name": .length(1...BookFacts.longestLine, notBlank: true), "number": .range(0...1_000_000),
  ]
}

extension BookSeries {
  /// A series of a file, whose number may be a text: `2`, `2.5`, `#2`, `1-3`, the first of several.
  ///
  /// - Returns: nil for a blank name.
  init?(_ name: String?, _ number: String?) {
    guard let name = name?.readable else { return nil }
    self.name = String(name.unicodeScalars.prefix(BookFacts.longestLine))
    let digits = (number ?? "").drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    self.number = Double(digits).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
  }

  /// The series to store, each name once; nil if there are none.
  static func stored(_ series: [BookSeries]) -> [BookSeries]? {
    var names: Set<String> = []
    let all = series.compactMap { one in
      one.name.readable.flatMap {
        names.insert(foldedText($0)).inserted ? BookSeries(name: $0, number: one.number) : nil
      }
    }.prefix(BookFacts.mostSeries)
    return all.isEmpty ? nil : Array(all)
  }

  /// The series at the end of a title, as Goodreads writes it: `Sabriel (Abhorsen, #1)`,
  /// `Mort (Discworld, #4; Death, #1)`.
  static func inTitle(_ title: String?) -> [BookSeries]? {
    guard let title, title.hasSuffix(")"), let start = title.lastIndex(of: "(") else { return nil }
    let parts = title[title.index(after: start)...].dropLast().split(separator: ";")
    let series = parts.compactMap { part -> BookSeries? in
      guard let hash = part.firstIndex(of: "#") else { return nil }
      let number = part[part.index(after: hash)...]
      // `Is this the #1 book?` names no series.
      guard number.contains(where: \.isNumber), number.allSatisfy({ $0.isNumber || ".-–,&+# ".contains($0) }) else {
        return nil
      }
      let name = part[..<hash].reversed().drop { $0 == " " || $0 == "," }.reversed()
      return BookSeries(String(name), String(number))
    }
    return stored(series)
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
  var written: String {
    guard let number else { return name }
    return "\(name) #\(Int64(exactly: number).map(String.init) ?? String(number))"
  }
}
