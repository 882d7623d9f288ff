import FoundationEssentials

/// A date of a header: RFC 9110, section 5.6.7, in its three forms.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// Implemented here, since Foundation's formatters load ICU.
package struct HTTPDate: Equatable {
  package let date: Date

  package init?(_ text: String) {
    let parts = text.split { " ,-".contains($0) }.map(String.init)
    let fields: (day: String, month: String, year: String, time: String)
    switch parts.count {
    case 6: fields = (parts[1], parts[2], parts[3], parts[4])
    case 5: fields = (parts[2], parts[1], parts[4], parts[3])
    default: return nil
    }
    let clock = fields.time.split(separator: ":").compactMap { Int($0) }
    guard let day = Int(fields.day), (1...31).contains(day),
      let month = Self.months.firstIndex(of: fields.month.lowercased()),
      let number = Int(fields.year), clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
      (0...60).contains(clock[2])
    else { return nil }
    // RFC 9110 interprets two digits as the year at most 50 years ahead; no service here is older than 1970.
    let year = fields.year.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
    guard (1970...9999).contains(year) else { return nil }
    let days = Self.days(year: year, month: month + 1, day: day)
    date = Date(timeIntervalSince1970: Double(((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
