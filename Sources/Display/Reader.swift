import Wire

/// For whom strings are made: what `display` depends on, one value per client.
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

  /// Changes what a client names (`initialize`, `session/configure`); nothing is changed if a name is refused.
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
  /// The daemon's own reader, which clients begin with: `LC_ALL`, `LC_TIME`, `LANG` in POSIX's order, and the
  /// system's zone. What cannot be understood there is English and UTC, since a daemon must start.
  package static func system(environment: [String: String]) -> Reader {
    let locale = localeName(in: environment).flatMap { LocaleTag($0) } ?? .english
    return Reader(locale: locale, zone: .system(environment: environment))
  }

  /// What `LC_ALL`, `LC_TIME` or `LANG` says, in POSIX's order.
  package static func localeName(in environment: [String: String]) -> String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }
}

/// A name of a locale or zone that does not exist.
package enum ReaderError: Error, Equatable, Sendable {
  case unknownLocale(String)
  case unknownTimeZone(String)

  /// What the client is told.
  package var reply: RPCError {
    switch self {
    case .unknownLocale(let name):
      .invalidParams(field: "locale", reason: Text("param.badLocale", ["value": name]))
    case .unknownTimeZone(let name):
      .invalidParams(field: "timeZone", reason: Text("param.badZone", ["value": name]))
    }
  }
}
