import Kit

extension ConfigurationState {
  /// - Parameter environment: The daemon's own, in which secrets of the kind `env` are looked up.
  package init(
    _ reading: ConfigurationFile.Reading, path: String, timeZone: String, environment: [String: String]
  ) {
    let (now, started) = (reading.configuration, reading.started)
    self.init(
      path: path, isThere: reading.isThere,
      mistake: reading.mistake.map { Mistake(line: $0.line, key: $0.key, text: $0.text) },
      warnings: now.warnings.map(\.text), waiting: now.keysForNextStart(since: started),
      settings: StatusReport.Settings(
        timeZone: timeZone, dayStartsAt: Self.time(started.library.dayStartsAt), contact: now.network.contact,
        offline: now.network.offline, allow: now.network.allow.map(\.description),
        credentials: now.credentials.values.sorted { $0.name < $1.name }.map { $0.named(in: environment) },
        google: now.features.books.google.url, googleCredential: now.features.books.google.credential,
        openLibrary: now.features.books.openLibrary.url))
  }

  private static func time(_ minutes: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }
}

extension Configuration {
  /// The keys that are only read at startup and have changed since.
  fileprivate func keysForNextStart(since started: Configuration) -> [String] {
    Setting.all.filter { $0.counting == .atNextStart && !$0.isSame(self, started) }.map(\.key).sorted()
  }
}

extension Credential {
  fileprivate func named(in environment: [String: String]) -> StatusReport.NamedCredential {
    let (from, isSet): (StatusReport.NamedCredential.From, Bool?) =
      switch source {
      case .command: (.command, nil)
      case .environment(let variable): (.env, environment[variable] != nil)
      case .file: (.file, nil)
      }
    return .init(name: name, origin: origin.description, from: from, isSet: isSet)
  }
}
