import Display
import HTTP
import PDF
import Wire

extension Configuration {
  /// Reads the text of `config.toml`. The error has all mistakes, so that nobody mends one only to learn of the next.
  package init(toml bytes: [UInt8]) throws(ConfigurationError) {
    self.init()
    var document = try TOMLDocument(bytes)
    var mistakes: [ConfigurationError] = []
    var isDone = false
    while !isDone {
      do throws(ConfigurationError) {
        self = try Configuration(document)
        isDone = true
      } catch {
        mistakes.append(error)
        // The others are looked for as if it did not stand there.
        isDone = !document.remove(Self.wanting(error.path))
      }
    }
    if let first = mistakes.first { throw ConfigurationError(first, with: Array(mistakes.dropFirst())) }
  }

  /// What goes with a key that has a mistake: a credential without one of its keys would have another.
  private static func wanting(_ path: [String]) -> ArraySlice<String> {
    path.first == "credentials" ? path.prefix(2) : path[...]
  }

  /// The keys of every section stand in its own function, and nowhere else.
  private init(_ document: TOMLDocument) throws(ConfigurationError) {
    self.init()
    let root = try SectionReader(document, keys: ["library", "network", "credentials", "books", "pdf"])
    if let section = try root.section("library", keys: ["timeZone", "dayStartsAt"]) { try read(library: section) }
    if let section = try root.section("network", keys: ["contact", "offline", "allow"]) { try read(network: section) }
    if let section = try root.section("credentials", keys: nil) { try read(credentials: section) }
    if let section = try root.section("books", keys: ["google", "openLibrary"]) { try read(books: section) }
    if let section = try root.section("pdf", keys: ["workers", "timeout", "memory", "sandbox", "cache", "ahead"]) {
      try read(pdf: section)
    }
  }

  private mutating func read(library section: SectionReader) throws(ConfigurationError) {
    if let name = try section.text("timeZone") {
      guard let zone = Zone(name) else { throw section.mistake("timeZone", Text("configuration.wantsZone")) }
      library.timeZone = zone
    }
    if let time = try section.text("dayStartsAt") {
      guard let minutes = Self.minutes(time) else {
        throw section.mistake("dayStartsAt", Text("configuration.wantsTime"))
      }
      library.dayStartsAt = minutes
    }
  }

  private mutating func read(network section: SectionReader) throws(ConfigurationError) {
    if let contact = try section.text("contact") {
      // It becomes a comment in a header line.
      let isSafe = contact.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()\\".utf8.contains($0) }
      guard isSafe, contact.contains("@") || contact.contains("://"), contact.utf8.count <= 200 else {
        throw section.mistake("contact", Text("configuration.wantsContact"))
      }
      network.contact = contact
    }
    network.offline = try section.boolean("offline") ?? network.offline
    for (index, text) in (try section.texts("allow") ?? []).enumerated() {
      network.allow.append(try section.origin("allow", text, element: index))
    }
  }

  private mutating func read(credentials section: SectionReader) throws(ConfigurationError) {
    for name in section.names {
      guard let own = try section.section(name, keys: ["origin", "env", "file", "command"]) else { continue }
      guard let origin = try own.text("origin") else {
        throw section.mistake(name, Text("configuration.wantsCredentialOrigin"))
      }
      var sources: [Credential.Source] = []
      if let variable = try own.text("env") {
        guard !variable.isEmpty, !variable.contains("=") else {
          throw own.mistake("env", Text("configuration.wantsVariable"))
        }
        sources.append(.environment(variable))
      }
      if let file = try own.text("file") {
        guard file.hasPrefix("/") else { throw own.mistake("file", Text("configuration.wantsAbsolutePath")) }
        sources.append(.file(file))
      }
      if let command = try own.texts("command") {
        guard let program = command.first, !program.isEmpty else {
          throw own.mistake("command", Text("configuration.wantsCommand"))
        }
        sources.append(.command(command))
      }
      guard sources.count == 1 else { throw section.mistake(name, Text("configuration.wantsOneSource")) }
      credentials[name] = Credential(
        name: name, origin: try own.origin("origin", origin), source: sources[0])
    }
  }

  private mutating func read(books section: SectionReader) throws(ConfigurationError) {
    if let google = try section.section("google", keys: ["url", "credential"]) {
      books.google.url = try google.url("url") ?? books.google.url
      books.google.credential = try google.text("credential")
      warnAboutCredential(of: google)
    }
    if let openLibrary = try section.section("openLibrary", keys: ["url", "covers"]) {
      books.openLibrary.url = try openLibrary.url("url") ?? books.openLibrary.url
      books.openLibrary.covers = try openLibrary.url("covers") ?? books.openLibrary.covers
    }
  }

  /// Not errors: the file may be shared by machines of which not all have every secret.
  private mutating func warnAboutCredential(of google: SectionReader) {
    guard let name = books.google.credential else { return }
    guard let credential = credentials[name] else {
      warnings.append(google.mistake("credential", Text("configuration.undefinedCredential", ["name": name])))
      return
    }
    if credential.origin != Origin(books.google.url) {
      let arguments = ["name": name, "origin": credential.origin.description]
      warnings.append(google.mistake("credential", Text("configuration.otherOrigin", arguments)))
    }
  }

  private mutating func read(pdf section: SectionReader) throws(ConfigurationError) {
    pdf.workers = try section.integer("workers", in: 1...16) ?? pdf.workers
    pdf.timeout = try section.integer("timeout", in: 1...600).map { .seconds($0) } ?? pdf.timeout
    pdf.memory = try section.integer("memory", in: 128...65_536) ?? pdf.memory
    pdf.pictures.limit = try section.integer("cache", in: 0...65_536).map { Int64($0) << 20 } ?? pdf.pictures.limit
    pdf.pictures.drawsAhead = try section.boolean("ahead") ?? pdf.pictures.drawsAhead
    switch try section.text("sandbox") {
    case nil: break
    case "required": pdf.sandbox = .required
    case "best-effort": pdf.sandbox = .bestEffort
    default:
      throw section.mistake(
        "sandbox", Text("configuration.notOneOf", ["choices": "\"required\", \"best-effort\""]))
    }
  }

  /// `04:00` as minutes after midnight.
  private static func minutes(_ text: String) -> Int? {
    let digits = Array(text.utf8)
    guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(digits[$0]) })
    else { return nil }
    let hour = Int(digits[0] - 0x30) * 10 + Int(digits[1] - 0x30)
    let minute = Int(digits[3] - 0x30) * 10 + Int(digits[4] - 0x30)
    return hour < 24 && minute < 60 ? hour * 60 + minute : nil
  }
}
