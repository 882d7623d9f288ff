import Wire

/// The audience of strings: the settings of one client on which `display` depends.
package struct Reader: Sendable, Hashable {
  package private(set) var language: Language
  /// A BCP 47 tag such as `ko-KR`.
  package private(set) var locale: LocaleTag
  package var zone: Zone
  package var positionEncoding: PositionEncoding

  package init(locale: LocaleTag, zone: Zone, positionEncoding: PositionEncoding = .utf16) {
    self.locale = locale
    self.zone = zone
    self.positionEncoding = positionEncoding
    language = Language(tag: locale.identifier)
  }

  /// Changes the settings that a client gives (`initialize`, `session/configure`).
  ///
  /// - Throws: `ReaderError` for an unknown name; then nothing is changed.
  package mutating func configure(locale: String? = nil, timeZone: String? = nil) throws(ReaderError) {
    var changed = self
    if let locale {
      guard let tag = LocaleTag(locale) else { throw .unknownLocale(locale) }
      changed.locale = tag
      changed.language = Language(tag: tag.identifier)
    }
    if let timeZone {
      guard let zone = Zone(timeZone) else { throw .unknownTimeZone(timeZone) }
      changed.zone = zone
    }
    self = changed
  }
}

extension Reader {
  /// The system's settings, the default of every client: `LC_ALL`, `LC_TIME`, `LANG` in POSIX's order, and the system's
  /// zone. Invalid values are replaced by English and UTC, since a daemon must start.
  package static func system(environment: [String: String]) -> Reader {
    let locale = localeName(in: environment).flatMap { LocaleTag($0) } ?? .english
    return Reader(locale: locale, zone: .system(environment: environment))
  }

  /// The value of `LC_ALL`, `LC_TIME` or `LANG`, in POSIX's order.
  package static func localeName(in environment: [String: String]) -> String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}

/// An unknown name of a locale or zone.
package enum ReaderError: Error, Equatable, Sendable {
  case unknownLocale(String)
  case unknownTimeZone(String)

  /// The error to reply.
  package var reply: RPCError {
    switch self {
    case .unknownLocale(let name):
      .invalidParams(field: "locale", reason: Text("param.badLocale", ["value": name]))
    case .unknownTimeZone(let name):
      .invalidParams(field: "timeZone", reason: Text("param.badZone", ["value": name]))
    }
  }
}
