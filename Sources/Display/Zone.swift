import CICU
import FoundationEssentials
import Synchronization

/// A time zone by its name in the tz database, for example `Asia/Seoul`.
///
/// Computing local times does not load ICU; only writing them for people does.
package struct Zone: Sendable {
  package let identifier: String
  private let file: ZoneFile?

  package static let databaseFolder = "/usr/share/zoneinfo"
  package static let utc = Zone(identifier: "Etc/UTC", file: nil)

  /// `nil` for a zone that does not exist. Names are case-sensitive, as usual with the tz database.
  ///
  /// If the system has no database, or not this zone, ICU's is used.
  package init?(_ identifier: String, database: String = Zone.databaseFolder) {
    guard Self.isName(identifier) else { return nil }
    if let bytes = FileManager.default.contents(atPath: "\(database)/\(identifier)"), let file = ZoneFile(Array(bytes))
    {
      self.init(identifier: identifier, file: file)
    } else if cicu_has_zone(identifier) {
      self.init(identifier: identifier, file: nil)
    } else {
      return nil
    }
  }

  /// The zone with this name, whose file is read once: items of a list state the zones in which they were written.
  package static func known(_ identifier: String) -> Zone? {
    if let zone = loaded.withLock({ $0[identifier] }) { return zone }
    guard let zone = Zone(identifier) else { return nil }
    // The database has some 600 names, and each is valid.
    loaded.withLock { $0[identifier] = zone }
    return zone
  }

  private static let loaded = Mutex<[String: Zone]>([:])

  private init(identifier: String, file: ZoneFile?) {
    self.identifier = identifier
    self.file = file
  }

  /// A zone that is in no database, such as one that a calendar defines.
  ///
  /// - Parameters:
  ///   - offset: seconds east of UTC before the first change.
  ///   - changes: the changes in order: the time in seconds since 1970, and the offset from then on.
  package init(named name: String, offset: Int, changes: [(at: Int64, offset: Int)]) {
    // No name in the database begins with a space.
    self.init(identifier: " " + name, file: ZoneFile(offset: offset, changes: changes))
  }

  /// Seconds east of UTC at a time given in seconds since 1970.
  package func offset(at seconds: Int64) -> Int {
    if identifier == Self.utc.identifier { return 0 }
    if let offset = file?.offset(at: seconds) { return offset }
    // A time that only the yearly rule covers, after 2037 in Debian's files: ICU evaluates the rules.
    return Int(cicu_zone_offset(identifier, Double(seconds) * 1_000))
  }

  /// Names of zones begin with a capital; others (`posix/…`, `right/…`, `leapseconds`) are other files of the database.
  private static func isName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = text.utf8.first, (0x41...0x5A).contains(first), text.utf8.count <= 64 else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        }
    }
  }
}

extension Zone: Hashable {
  package static func == (left: Zone, right: Zone) -> Bool { left.identifier == right.identifier }
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Zone {
  /// Parses `TZ`, with or without POSIX's colon: a name of the tz database, or an abbreviation with whole hours to add
  /// for UTC (`KST-9`, `<+09>-9`), which the database has as `Etc/GMT-9`. Nil for POSIX's other offsets and rules, and
  /// for unknown names.
  package init?(ofTZ text: String) {
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    guard let zone = Zone(name) ?? Zone(posixHours: name) else { return nil }
    self = zone
  }

  private init?(posixHours text: String) {
    let quoted = /<[A-Za-z0-9+\-]{3,}>([+\-]?)0?([0-9]{1,2})/
    let plain = /[A-Za-z]{3,}([+\-]?)0?([0-9]{1,2})/
    guard let match = text.wholeMatch(of: quoted) ?? text.wholeMatch(of: plain), let hours = Int(match.2) else {
      return nil
    }
    // POSIX and the database both count westwards.
    self.init(hours == 0 ? Self.utc.identifier : "Etc/GMT\(match.1 == "-" ? "-" : "+")\(hours)")
  }

  /// The value of `TZ` if it cannot be parsed; else nil.
  package static func unknownName(in environment: [String: String]) -> String? {
    guard let name = environment["TZ"], !name.isEmpty, Zone(ofTZ: name) == nil else { return nil }
    return name
  }

  /// The system's zone: `TZ` if it names one (empty is UTC, as in POSIX), else the target of `/etc/localtime`, else the
  /// name in `/etc/timezone`, else UTC.
  package static func system(environment: [String: String], configuration folder: String = "/etc") -> Zone {
    if let name = environment["TZ"] {
      if name.isEmpty { return .utc }
      if let zone = Zone(ofTZ: name) { return zone }
    }
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/localtime"),
      let database = target.firstRange(of: "zoneinfo/"), let zone = Zone(String(target[database.upperBound...]))
    {
      return zone
    }
    // If `localtime` is a copy, as in some containers, Debian stores the name here.
    if let bytes = FileManager.default.contents(atPath: folder + "/timezone") {
      let name = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
      if let zone = Zone(String(name)) { return zone }
    }
    return .utc
  }
}
