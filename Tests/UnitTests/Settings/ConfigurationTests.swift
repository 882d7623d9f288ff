import Display
import Foundation
import HTTP
import PDF
import Testing
import Wire

@testable import Daemon

@Suite("The configuration")
struct ConfigurationTests {
  private static let outline = """
    # config.toml: every key optional; an unknown key is an error that names the line
    [library]
    timeZone = "Asia/Seoul"       # default: the system's
    dayStartsAt = "04:00"         # default "00:00"
    [network]
    contact = "me@example.org"    # goes into the User-Agent
    offline = true
    allow = ["https://intranet.example:8443"]   # origins that may be private addresses
    [credentials.work]
    origin = "https://groupware.example"
    env = "WORK_TOKEN"            # or file = "…" (mode 0600, ours), or command = ["pass", "work"] (no shell, 10 s)
    [credentials.pass]
    origin = "https://forum.example/"
    command = ["pass", "forum"]
    [books.google]
    url = "http://127.0.0.1:8081/v1/"
    credential = "google"
    [books.openLibrary]
    url = "http://127.0.0.1:8082"
    covers = "https://covers.openlibrary.org"
    [documents]
    doi = "http://127.0.0.1:8083/"
    crossref = "https://api.crossref.org"
    [pdf]
    workers = 3
    timeout = 25                  # seconds a request
    memory = 512                  # MiB a worker
    sandbox = "best-effort"       # or "required"
    cache = 64                    # MiB of pictures
    ahead = false

    [projects]
    defaultDeadline = "none"
    remindAt = "08:30"

    [diary]
    template = "Morning pages"
    journal = "Personal"

    [boards]
    download = 64

    [hooks]
    changed = ["/bin/cat", "-"]
    timeout = 5

    [sync]
    target = "s3"
    url = "https://storage.example"
    credential = "pass"
    bucket = "books"
    region = "eu-west-1"
    prefix = "home"
    style = "virtual"
    every = 0
    files = "opened"
    allowPlain = true
    """

  @Test("every key of the outline is read")
  func outline() throws {
    let configuration = try Configuration(toml: Array(Self.outline.utf8))
    #expect(configuration.library == .init(timeZone: Zone("Asia/Seoul"), dayStartsAt: 240))
    let intranet = try #require(Origin("https://intranet.example:8443"))
    #expect(configuration.network == .init(contact: "me@example.org", offline: true, allow: [intranet]))
    #expect(configuration.credentials.keys.sorted() == ["pass", "work"])
    #expect(configuration.credentials["work"]?.origin == Origin("https://groupware.example"))
    #expect(configuration.credentials["work"]?.source == .environment("WORK_TOKEN"))
    #expect(configuration.credentials["pass"]?.source == .command(["pass", "forum"]))
    #expect(configuration.features.books.google == .init(url: "http://127.0.0.1:8081/v1", credential: "google"))
    #expect(configuration.features.books.openLibrary.url == "http://127.0.0.1:8082")
    #expect(configuration.features.books.openLibrary.covers == "https://covers.openlibrary.org")
    #expect(configuration.features.documents.doi == "http://127.0.0.1:8083")
    #expect(configuration.features.documents.crossref == "https://api.crossref.org")
    #expect(
      configuration.pdf
        == Configuration.PDF(workers: 3, timeout: .seconds(25), memory: 512, sandbox: .bestEffort))
    #expect(configuration.features.pictures.limit == 64 << 20 && !configuration.features.pictures.drawsAhead)
    #expect(configuration.features.cards.defaultDeadline == .none)
    #expect(configuration.features.cards.remindAt == 510)
    #expect(configuration.features.diary.template == "Morning pages")
    #expect(configuration.features.diary.journal == "Personal")
    #expect(configuration.features.boards.attachmentLimit == 64 << 20)
    #expect(configuration.features.hooks.changed == ["/bin/cat", "-"])
    #expect(configuration.features.hooks.limit == .seconds(5))
    let sync = configuration.features.sync
    #expect(
      sync.target
        == .s3(
          endpoint: "https://storage.example", bucket: "books", region: "eu-west-1", prefix: "home", usesPath: false,
          credential: "pass"))
    #expect(sync.interval == nil && sync.allowsPlain && !sync.fetchesAllFiles)
    #expect(Configuration().features.sync.target == nil && Configuration().features.sync.interval == .seconds(300))
    #expect(Configuration().features.sync.fetchesAllFiles)
    #expect(Configuration().features.pictures.drawsAhead && Configuration().features.pictures.limit == 256 << 20)
  }

  @Test("what the file says reaches the HTTP client and the workers")
  func apply() throws {
    let configuration = try Configuration(toml: Array(Self.outline.utf8))
    var http = HTTPConfiguration()
    configuration.apply(to: &http)
    #expect(http.contact == "me@example.org" && http.offline)
    let allowed = http.allowedOrigins.map(\.description).sorted()
    #expect(
      allowed == [
        "http://127.0.0.1:8081", "http://127.0.0.1:8082", "http://127.0.0.1:8083", "https://api.crossref.org",
        "https://covers.openlibrary.org", "https://intranet.example:8443", "https://ndlsearch.ndl.go.jp",
        "https://storage.example",
        "https://www.aladin.co.kr",
      ])
    var workers = WorkerConfiguration(executable: "/none")
    configuration.apply(to: &workers)
    #expect(workers.workers == 3 && workers.timeout == .seconds(25) && workers.memory == 512)
    #expect(workers.sandbox == .bestEffort)
  }

  @Test("an empty file and a missing one are the defaults")
  func defaults() throws {
    #expect(try Configuration(toml: []) == Configuration())
    #expect(try Configuration.load("/nonexistent/config.toml") == Configuration())
    #expect(Configuration().features.books.google.url == "https://www.googleapis.com/books/v1")
    #expect(Configuration().pdf == .init(workers: 2, timeout: .seconds(20), memory: 1_024, sandbox: .required))
  }

  @Test("the page that explains the file says the defaults, and its examples are ones that the file may have")
  func page() throws {
    #expect(try Configuration(toml: Array(Configuration.page.utf8)) == Configuration())
    // One of the three ways to a secret.
    let examples = Configuration.page.replacing(/(?m)^# (file|command) =/) { "## \($0.output.1) =" }
      .replacing(/(?m)^# (?=\[|\w+ = )/, with: "")
    let all = try Configuration(toml: Array(examples.utf8))
    #expect(all.credentials["work"]?.source == .environment("WORK_TOKEN"))
    for setting in Setting.all {
      guard case .example = setting.shown else { continue }
      #expect(!setting.isSame(all, Configuration()), "\(setting.key)")
    }
    #expect(Configuration.page.contains("applies at the next start"))
  }

  @Test("a credential that is not defined, or for another origin, is a warning")
  func warnings() throws {
    let undefined = try Configuration(toml: Array(Self.outline.utf8)).warnings
    #expect(undefined.map(\.line) == [17])
    #expect(undefined.map(\.text.key) == ["configuration.undefinedCredential"])
    let other = try Configuration(
      toml: Array(
        """
        books.google.credential = "g"
        credentials.g = { origin = "https://other.example", env = "G" }
        """.utf8)
    ).warnings
    #expect(other.map(\.text.key) == ["configuration.otherOrigin"])
    #expect(other.map(\.line) == [1])
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String { toml }
    var toml: String
    var line: Int?
    var key: String?
    var sentence: String

    init(_ toml: String, _ line: Int?, _ key: String?, _ sentence: String) {
      self.toml = toml
      self.line = line
      self.key = key
      self.sentence = sentence
    }
  }

  @Test(
    "a mistake is named with its line, its key and what was expected",
    arguments: [
      Mistake("\n[library]\ntimezone = 'UTC'", 3, "library.timezone", "unknownKey"),
      Mistake("[pdff]\n", 1, "pdff", "unknownKey"),
      Mistake("[books]\n[books.googel]\nurl = ''", 2, "books.googel", "unknownKey"),
      Mistake("pdf = 3", 1, "pdf", "wantsSection"),
      Mistake("[library]\ntimeZone = 9", 2, "library.timeZone", "wantsText"),
      Mistake("[library]\ntimeZone = 'Asia/Soul'", 2, "library.timeZone", "wantsZone"),
      Mistake("[library]\ndayStartsAt = '24:00'", 2, "library.dayStartsAt", "wantsTime"),
      Mistake("[library]\ndayStartsAt = '4:00'", 2, "library.dayStartsAt", "wantsTime"),
      Mistake("[network]\noffline = 'no'", 2, "network.offline", "wantsBoolean"),
      Mistake("[network]\ncontact = 'a@b\\u000d\\u000aX: y'", 2, "network.contact", "wantsContact"),
      Mistake("[network]\ncontact = \"a@b\\r\\nX\"", 2, "network.contact", "wantsContact"),
      Mistake("[network]\nallow = 'https://a.example'", 2, "network.allow", "wantsTexts"),
      Mistake("[network]\nallow = [\n 'https://a.example',\n 7]", 4, "network.allow", "wantsTexts"),
      Mistake("[network]\nallow = [\n 'https://a.example',\n 'a.example']", 4, "network.allow", "wantsOrigin"),
      Mistake("[network]\nallow = ['https://a.example/path']", 2, "network.allow", "wantsOrigin"),
      Mistake("[credentials.a]\nenv = 'A'", 1, "credentials.a", "wantsCredentialOrigin"),
      Mistake("\n[credentials.a]\norigin = 'https://a.example'", 2, "credentials.a", "wantsOneSource"),
      Mistake(
        "[credentials.a]\norigin = 'https://a.example'\nenv = 'A'\nfile = '/f'", 1, "credentials.a", "wantsOneSource"),
      Mistake(
        "[credentials.a]\norigin = 'https://a.example'\nfile = 'f'", 3, "credentials.a.file", "wantsAbsolutePath"),
      Mistake(
        "[credentials.a]\norigin = 'https://a.example'\ncommand = []", 3, "credentials.a.command", "wantsCommand"),
      Mistake("[credentials.a]\norigin = 'https://a.example'\nenv = ''", 3, "credentials.a.env", "wantsVariable"),
      Mistake("[credentials.a]\ntoken = 'x'", 2, "credentials.a.token", "unknownKey"),
      Mistake("[sync]\nurl = '~/Sync'", 2, "sync.url", "wantsWholePath"),
      Mistake("[books.google]\nurl = 'ftp://a.example'", 2, "books.google.url", "wantsURL"),
      Mistake("[books.google]\nurl = 'https://a.example/?q=1'", 2, "books.google.url", "wantsURL"),
      Mistake("[pdf]\nworkers = 0", 2, "pdf.workers", "wantsInteger"),
      Mistake("[pdf]\nworkers = 17", 2, "pdf.workers", "wantsInteger"),
      Mistake("[pdf]\ntimeout = 2.5", 2, "pdf.timeout", "wantsInteger"),
      Mistake("[pdf]\ncache = 65537", 2, "pdf.cache", "wantsInteger"),
      Mistake("[pdf]\nahead = 1", 2, "pdf.ahead", "wantsBoolean"),
      Mistake("[pdf]\nsandbox = 'none'", 2, "pdf.sandbox", "notOneOf"),
      Mistake("[pdf]\nworkers = 1\nworkers = 2", 3, nil, "syntax"),
      Mistake("[pdf]\n\nworkers = ", 3, nil, "syntax"),
      Mistake("[pdf]\nsandbox = \"required\\u0000x\"", 2, nil, "nul"),
      Mistake("[pdf]\n\u{0}workers = 99", 2, nil, "nul"),
    ])
  func mistakes(row: Mistake) throws {
    let error = try #require(throws: ConfigurationError.self) { try Configuration(toml: Array(row.toml.utf8)) }
    #expect(error.line == row.line)
    #expect(error.key == row.key)
    #expect(error.text.key == "configuration." + row.sentence)
    #expect(error.others.isEmpty)
    let catalogue = Catalogue()
    for language in Language.allCases {
      let sentence = catalogue.string(for: error.text, language: language)
      #expect(!sentence.contains("{"))
      if let line = row.line { #expect(sentence.contains(String(line))) }
      if let key = row.key { #expect(sentence.contains(key)) }
    }
  }

  @Test("of several mistakes all are named, and none that only follows from another")
  func several() throws {
    let toml = """
      [library]
      timezone = 'UTC'
      dayStartsAt = '25:00'
      [credentials.a]
      origin = 'https://a.example'
      env = ''
      [credentials.b]
      file = '/b'
      [books.google]
      credential = 'a'
      [pdf]
      workers = 0
      """
    let error = try #require(throws: ConfigurationError.self) { try Configuration(toml: Array(toml.utf8)) }
    #expect(
      ([error] + error.others).map(\.key) == [
        "library.timezone", "library.dayStartsAt", "credentials.a.env", "credentials.b", "pdf.workers",
      ])
    #expect(([error] + error.others).map(\.line) == [2, 3, 6, 7, 12])
    #expect(error.texts.count == 5)
  }

  @Test("an unknown key comes with the nearest one that is known there")
  func nearest() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration(toml: Array("[library]\ntimezone = 'UTC'".utf8))
    }
    let catalogue = Catalogue()
    #expect(
      catalogue.string(for: error.text, language: .english)
        == "config.toml, line 2: there is no key “library.timezone”.")
    #expect(catalogue.advice(on: error.text, language: .english) == "Did you mean “timeZone”?")
  }

  @Test("bytes that are no UTF-8, folders and huge files are refused")
  func files() throws {
    func key(_ body: () throws -> Configuration) throws -> String {
      try #require(throws: ConfigurationError.self) { try body() }.text.key
    }
    #expect(try key { try Configuration(toml: [0xFF]) } == "configuration.notUTF8")
    try withFolder { folder in
      #expect(try key { try Configuration.load(folder) } == "configuration.notFile")
      let huge = Data(repeating: 0x0A, count: Configuration.longestFile + 1)
      try huge.write(to: URL(filePath: folder + "/huge"))
      #expect(try key { try Configuration.load(folder + "/huge") } == "configuration.tooLong")
      try huge.dropLast().write(to: URL(filePath: folder + "/long"))
      #expect(try Configuration.load(folder + "/long") == Configuration())
    }
  }
}
