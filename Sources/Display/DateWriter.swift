import Foundation
import Synchronization
import Wire

/// Writes dates for people in their locale and zone.
///
/// A formatter is made when the first date of its locale and style is shown: the first of all loads ICU, some
/// megabytes that a daemon whose clients show no dates never needs. Formatters know no zone; instants are moved by the
/// zone's offset before they are written. So strings and `DayClock` cannot disagree about a zone, and a client that
/// changes its locale or zone sees the change with its next string.
package final class DateWriter: Sendable {
  private struct Key: Hashable {
    var locale: LocaleTag
    var style: DateStyle
  }

  private struct Cache {
    var formatters: [Key: DateFormatter] = [:]
    /// The keys, the most recently used last.
    var order: [Key] = []
    /// What was written lately. A library shows the same few days over and over, and ICU takes microseconds for each.
    var written: [Moment: String] = [:]
  }

  private struct Moment: Hashable {
    var key: Key
    /// In the style's resolution.
    var number: Int64
  }

  private static let writtenLimit = 1_024

  private let catalogue: Catalogue
  private let capacity: Int
  private let cache = Mutex(Cache())

  /// `capacity` is how many formatters are kept.
  package init(catalogue: Catalogue, capacity: Int = 32) {
    precondition(capacity > 0, "The formatter in use must be kept.")
    self.catalogue = catalogue
    self.capacity = capacity
  }

  /// An instant, in milliseconds since 1970, as the reader's wall clock shows it.
  package func string(_ style: DateStyle, at instant: Int64, for reader: Reader) -> String {
    let seconds = floorDivide(instant, 1000)
    return write(style, wallSeconds: seconds + Int64(reader.zone.offset(at: seconds)), in: reader.locale)
  }

  /// A calendar day. It is the same day in every zone.
  package func string(_ style: DateStyle, on day: YearMonthDay, for reader: Reader) -> String {
    write(style, wallSeconds: Int64(CivilDate.number(of: day)) * 86_400, in: reader.locale)
  }

  /// "today", "yesterday" or "tomorrow" where it is one of them, otherwise the day in the style.
  package func relativeString(
    _ style: DateStyle, on day: YearMonthDay, today: YearMonthDay, for reader: Reader
  ) -> String {
    let key: String
    switch CivilDate.number(of: day) - CivilDate.number(of: today) {
    case -1: key = "day.yesterday"
    case 0: key = "day.today"
    case 1: key = "day.tomorrow"
    default: return string(style, on: day, for: reader)
    }
    return catalogue.string(for: Text(key), language: reader.language)
  }

  /// How many formatters are kept, for `session/status`.
  package var count: Int { cache.withLock { $0.formatters.count } }

  /// Whether a formatter is there, for tests of the cache.
  func keeps(_ style: DateStyle, in locale: LocaleTag) -> Bool {
    cache.withLock { $0.formatters[Key(locale: locale, style: style)] != nil }
  }

  /// A formatter is not safe to share, so it is used under the lock; that takes microseconds.
  private func write(_ style: DateStyle, wallSeconds: Int64, in locale: LocaleTag) -> String {
    let key = Key(locale: locale, style: style)
    let moment = Moment(key: key, number: floorDivide(wallSeconds, style.resolution))
    return cache.withLock { cache in
      let formatter = Self.formatter(key, of: &cache, capacity: capacity)
      if let text = cache.written[moment] { return text }
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(wallSeconds)))
      if cache.written.count >= Self.writtenLimit { cache.written.removeAll(keepingCapacity: true) }
      cache.written[moment] = text
      return text
    }
  }

  private static func formatter(_ key: Key, of cache: inout Cache, capacity: Int) -> DateFormatter {
    if let formatter = cache.formatters[key] {
      if cache.order.last != key, let index = cache.order.firstIndex(of: key) {
        cache.order.append(cache.order.remove(at: index))
      }
      return formatter
    }
    if cache.order.count == capacity { cache.formatters[cache.order.removeFirst()] = nil }
    let formatter = makeFormatter(key)
    cache.formatters[key] = formatter
    cache.order.append(key)
    return formatter
  }

  private static func makeFormatter(_ key: Key) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: key.locale.identifier)
    formatter.timeZone = .gmt
    // Days are counted in the Gregorian calendar throughout, as ISO 8601 does; the default is Julian before 1582.
    formatter.gregorianStartDate = .distantPast
    switch key.style {
    case .template(let skeleton): formatter.setLocalizedDateFormatFromTemplate(skeleton)
    case .mediumDate: (formatter.dateStyle, formatter.timeStyle) = (.medium, .none)
    case .time: (formatter.dateStyle, formatter.timeStyle) = (.none, .short)
    case .dateAndTime: (formatter.dateStyle, formatter.timeStyle) = (.medium, .short)
    }
    return formatter
  }
}
