import Synchronization
import Wire

/// Writes dates for people in their locale and zone.
///
/// A formatter is created for the first date in its locale and style. The first one loads ICU, some megabytes that a
/// daemon whose clients show no dates never needs. Formatters have no zone: instants are shifted by the zone's offset
/// before they are written. So strings and `DayClock` cannot disagree about a zone, and a change of a client's locale
/// or zone applies to its next string.
package final class DateWriter: Sendable {
  private struct Key: Hashable {
    var locale: LocaleTag
    var style: DateStyle
  }

  private struct Cache {
    var writers: [Key: Writer] = [:]
    /// The keys, the most recently used last.
    var order: [Key] = []
    /// The writer of the last key.
    var latest: Writer?
  }

  /// A formatter with a cache of its results. A library shows the same few days over and over, and ICU takes
  /// microseconds for each.
  private final class Writer {
    let formatter: LocalizedDateFormat
    /// The style's resolution.
    let resolution: Int64
    /// By the number of the interval (`resolution`).
    var written: [Int64: String] = [:]

    init(_ formatter: LocalizedDateFormat, resolution: Int64) {
      self.formatter = formatter
      self.resolution = resolution
    }
  }

  /// The maximal number of cached results of a formatter.
  private static let writtenLimit = 1_024

  private let catalogue: Catalogue
  private let capacity: Int
  private let cache = Mutex(Cache())

  /// `capacity` is the maximal number of cached formatters.
  package init(catalogue: Catalogue, capacity: Int = 32) {
    precondition(capacity > 0, "The formatter in use must stay in the cache.")
    self.catalogue = catalogue
    self.capacity = capacity
  }

  /// An instant, in milliseconds since 1970, as local time of the user.
  package func string(_ style: DateStyle, at instant: Int64, for reader: Reader) -> String {
    let seconds = floorDivide(instant, 1000)
    let local = seconds + Int64(reader.zone.offset(at: seconds))
    // Limits local times in the year 0 or 10000: ICU would write the former as a year 1, which would be 1 BC.
    return write(
      style, localSeconds: min(max(local, Self.localBounds.lowerBound), Self.localBounds.upperBound), in: reader.locale)
  }

  /// The first second of the year 1 and the last of the year 9999.
  private static let localBounds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// A calendar day. It is the same day in every zone.
  package func string(_ style: DateStyle, on day: YearMonthDay, for reader: Reader) -> String {
    write(style, localSeconds: Int64(CivilDate.number(of: day)) * 86_400, in: reader.locale)
  }

  /// The same for a single day, with a formatter that is not cached.
  package static func string(_ style: DateStyle, on day: YearMonthDay, in locale: LocaleTag) -> String {
    let seconds = Int64(CivilDate.number(of: day)) * 86_400
    return LocalizedDateFormat(style, in: locale).string(at: seconds)
  }

  /// "today", "yesterday" or "tomorrow" for these days, otherwise the day in the style.
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

  /// The number of cached formatters, for `session/status`.
  package var count: Int { cache.withLock { $0.writers.count } }

  /// Whether a formatter is cached, for tests of the cache.
  func keeps(_ style: DateStyle, in locale: LocaleTag) -> Bool {
    cache.withLock { $0.writers[Key(locale: locale, style: style)] != nil }
  }

  /// A formatter is not thread-safe, so it is used under the lock; that takes microseconds.
  private func write(_ style: DateStyle, localSeconds: Int64, in locale: LocaleTag) -> String {
    cache.withLock { cache in
      let writer = Self.writer(Key(locale: locale, style: style), of: &cache, capacity: capacity)
      let number = floorDivide(localSeconds, writer.resolution)
      if let text = writer.written[number] { return text }
      let text = writer.formatter.string(at: localSeconds)
      if writer.written.count >= Self.writtenLimit { writer.written.removeAll(keepingCapacity: true) }
      writer.written[number] = text
      return text
    }
  }

  private static func writer(_ key: Key, of cache: inout Cache, capacity: Int) -> Writer {
    // A list uses the same one for each row.
    if let latest = cache.latest, cache.order.last == key { return latest }
    let writer: Writer
    if let known = cache.writers[key] {
      writer = known
      if let index = cache.order.firstIndex(of: key) { cache.order.remove(at: index) }
    } else {
      if cache.order.count == capacity { cache.writers[cache.order.removeFirst()] = nil }
      writer = Writer(LocalizedDateFormat(key.style, in: key.locale), resolution: key.style.resolution)
      cache.writers[key] = writer
    }
    cache.order.append(key)
    cache.latest = writer
    return writer
  }
}
