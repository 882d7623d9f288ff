/// The publication date in a catalogue's text, as far as it can be parsed: `1925`, `2009-03`, `March 2009`,
/// `Mar 4, 2009`, `2009년 3월`, `c1998`, `1998*`. The text itself is stored elsewhere, byte for byte.
package struct PublicationDate: Sendable, Equatable {
  package let year: Int
  package var month: Int?
  package var day: Int?

  /// `nil` if there is no certain year, as in `190?`.
  package init?(_ text: String) {
    // Most texts are only a year.
    if text.utf8.count == 4, let year = Int(text), (1_000...2_999).contains(year) {
      self.year = year
      return
    }
    // A date is short; longer texts are a mistake of the service.
    let text = String(text.unicodeScalars.prefix(64))
    let numbers = Self.numbers(in: text)
    guard let place = numbers.firstIndex(where: { Self.isYear($0) }) else { return nil }
    let found = numbers[place]
    if found.digits == 8 {
      year = found.value / 10_000
      take(month: found.value / 100 % 100, day: found.value % 100)
      return
    }
    year = found.value
    let others = numbers.enumerated().filter { $0.offset != place && $0.element.digits <= 2 }.map(\.element.value)
    if let named = Self.namedMonth(in: text) {
      take(month: named, day: others.first)
    } else if place == 0 {
      // Year, month, day, as in ISO 8601 and East Asia. Two numbers before the year may be in either order.
      take(month: others.first, day: others.dropFirst().first)
    }
  }

  /// The known parts, from the year on.
  package var parts: [Int] { [year] + [month, day].prefix { $0 != nil }.compactMap(\.self) }

  private mutating func take(month: Int?, day: Int?) {
    guard let month, (1...12).contains(month) else { return }
    self.month = month
    if let day, (1...31).contains(day) { self.day = day }
  }

  private struct Number {
    var value: Int
    var digits: Int
    /// Whether a question mark follows, so that its last digits are unknown.
    var isOpen: Bool
  }

  private static func isYear(_ number: Number) -> Bool {
    switch number.digits {
    case 4: !number.isOpen && (1_000...2_999).contains(number.value)
    case 8: (1_000...2_999).contains(number.value / 10_000)
    default: false
    }
  }

  private static func numbers(in text: String) -> [Number] {
    var numbers: [Number] = []
    var digits: [Int] = []
    func end(before scalar: Unicode.Scalar?) {
      if !digits.isEmpty, digits.count <= 8 {
        numbers.append(
          Number(
            value: digits.reduce(0) { $0 * 10 + $1 }, digits: digits.count,
            isOpen: digits.count < 4 && scalar == "?"))
      }
      digits = []
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
        digits.append(Int(value))
      } else {
        end(before: scalar)
      }
      // The time of day is not part of the date.
      if scalar == "T", !numbers.isEmpty { return numbers }
    }
    end(before: nil)
    return numbers
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func namedMonth(in text: String) -> Int? {
    let words = text.lowercased().split { !$0.isLetter }
    for word in words {
      if let place = months.firstIndex(where: { word.hasPrefix($0) }) { return place + 1 }
    }
    return nil
  }
}
