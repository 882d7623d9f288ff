import HTTP
import Wire

extension Configuration {
  /// Parses the text of `config.toml`.
  ///
  /// - Throws: `ConfigurationError` with all errors, so that the user can fix them together.
  package init(toml bytes: [UInt8]) throws(ConfigurationError) {
    self.init()
    var document = try TOMLDocument(bytes)
    var mistakes: [ConfigurationError] = []
    var isDone = false
    while !isDone {
      do throws(ConfigurationError) {
        var configuration = Configuration()
        let root = SectionReader(document)
        try configuration.read(root)
        let books = configuration.features.books
        for (name, credential, url) in [
          ("google", books.google.credential, books.google.url), ("aladin", books.aladin.credential, books.aladin.url),
        ] {
          guard let credential, let section = try root.section("books")?.section(name) else { continue }
          configuration.warnAbout(credential, of: section, for: url)
        }
        self = configuration
        isDone = true
      } catch {
        mistakes.append(error)
        // The remaining errors are searched for without this key.
        isDone = !document.remove(Self.wanting(error.path))
      }
    }
    if let first = mistakes.first { throw ConfigurationError(first, with: Array(mistakes.dropFirst())) }
  }

  /// The key to remove after an error: a credential without one of its keys would be another error.
  private static func wanting(_ path: [String]) -> ArraySlice<String> {
    path.first == "credentials" ? path.prefix(2) : path[...]
  }

  /// Reads a section and those below it, as `Setting.all` declares them.
  private mutating func read(_ section: SectionReader) throws(ConfigurationError) {
    let known = Setting.names(in: section.path)
    if known == ["*"] { return try read(credentials: section) }
    try section.refuseOthers(than: known)
    for name in known {
      if let setting = Setting.at(section.path + [name]) {
        if let value = section.value(name) { try setting.read?(value, &self) }
      } else if let inner = try section.section(name) {
        try read(inner)
      }
    }
  }

  private mutating func read(credentials section: SectionReader) throws(ConfigurationError) {
    for name in section.names {
      guard let own = try section.section(name) else { continue }
      try own.refuseOthers(than: Setting.names(in: ["credentials", "*"]))
      guard let origin = own.value("origin") else {
        throw section.mistake(name, Text("configuration.wantsCredentialOrigin"))
      }
      var sources: [Credential.Source] = []
      if let value = own.value("env") {
        let variable = try value.text()
        guard !variable.isEmpty, !variable.contains("=") else {
          throw value.mistake(Text("configuration.wantsVariable"))
        }
        sources.append(.environment(variable))
      }
      if let value = own.value("file") {
        let file = try value.text()
        guard file.hasPrefix("/") else { throw value.mistake(Text("configuration.wantsAbsolutePath")) }
        sources.append(.file(file))
      }
      if let value = own.value("command") {
        let command = try value.texts()
        guard let program = command.first, !program.isEmpty else {
          throw value.mistake(Text("configuration.wantsCommand"))
        }
        sources.append(.command(command))
      }
      guard sources.count == 1 else { throw section.mistake(name, Text("configuration.wantsOneSource")) }
      credentials[name] = Credential(name: name, origin: try origin.origin(), source: sources[0])
    }
  }

  /// Only warnings: the file may be shared by machines of which not all have every secret.
  private mutating func warnAbout(_ name: String, of section: SectionReader, for url: String) {
    guard let credential = credentials[name] else {
      warnings.append(section.mistake("credential", Text("configuration.undefinedCredential", ["name": name])))
      return
    }
    if credential.origin != Origin(url) {
      let arguments = ["name": name, "origin": credential.origin.description]
      warnings.append(section.mistake("credential", Text("configuration.otherOrigin", arguments)))
    }
  }
}
