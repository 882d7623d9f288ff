import CICU

/// Formats days and times for one locale. Not thread-safe.
final class LocalizedDateFormat {
  private let writer: OpaquePointer?
  private let hasTime: Bool

  init(_ style: DateStyle, in locale: LocaleTag) {
    hasTime = style.resolution < 86_400
    writer =
      switch style {
      case .template(let skeleton): cicu_writer_open_skeleton(locale.identifier, skeleton)
      case .mediumDate: cicu_writer_open(locale.identifier, CICU_MEDIUM, CICU_NONE)
      case .time: cicu_writer_open(locale.identifier, CICU_NONE, CICU_SHORT)
      case .dateAndTime: cicu_writer_open(locale.identifier, CICU_MEDIUM, CICU_SHORT)
      }
  }

  deinit { if let writer { cicu_writer_close(writer) } }

  /// Formats a time in seconds since 1970, in UTC; in the form of ISO 8601 if ICU is not installed.
  func string(at seconds: Int64) -> String {
    let text = writer.flatMap { writer in icuText { cicu_write(writer, Double(seconds) * 1_000, $0, $1) } }
    if let text { return text }
    let days = floorDivide(seconds, 86_400)
    let (year, month, day) = CivilDate.day(Int(days))
    let minutes = (seconds - days * 86_400) / 60
    func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let date = "\(year)-\(digits(month))-\(digits(day))"
    return hasTime ? "\(date) \(digits(Int(minutes) / 60)):\(digits(Int(minutes) % 60))" : date
  }
}

/// The text that a function of ICU writes, or nil if there is none.
func icuText(_ write: (_ text: UnsafeMutablePointer<CChar>, _ room: Int) -> Bool) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 768) { room in
    write(room.baseAddress!, room.count) ? String(cString: room.baseAddress!) : nil
  }
}
