import Display
import Kit
import Wire

/// The declaration of a key of `config.toml`: its allowed values, its default, its purpose, and when a change takes
/// effect. The parser, the commented default file, and the list of keys that wait for a restart are derived from it.
struct Setting: Sendable {
  enum Counting: Sendable {
    case atOnce, atNextStart
  }

  /// The value of the key in the default file: the default, or an example if there is none.
  enum Shown: Sendable {
    case usually(String)
    case example(String)
  }

  /// The full path; a name chosen by the user is `*`.
  let path: [String]
  let shown: Shown
  let note: String
  let counting: Counting
  /// Nil for the keys of a credential, which are only meaningful together.
  let read: (@Sendable (SettingValue, inout Configuration) throws(ConfigurationError) -> Void)?
  let isSame: @Sendable (Configuration, Configuration) -> Bool

  var key: String { path.joined(separator: ".") }

  /// - Parameter read: converts the value in the file.
  init<Value: Equatable & SendableMetatype>(
    _ key: String, _ place: any WritableKeyPath<Configuration, Value> & Sendable, _ shown: Shown, _ note: String,
    _ counting: Counting = .atOnce, read: @escaping @Sendable (SettingValue) throws(ConfigurationError) -> Value
  ) {
    path = key.split(separator: ".").map(String.init)
    (self.shown, self.note, self.counting) = (shown, note, counting)
    self.read = { value, configuration throws(ConfigurationError) in
      configuration[keyPath: place] = try read(value)
    }
    isSame = { $0[keyPath: place] == $1[keyPath: place] }
  }

  private init(credential key: String, _ shown: Shown, _ note: String) {
    (path, self.shown, self.note, counting) = (["credentials", "*", key], shown, note, .atOnce)
    read = nil
    isSame = { $0.credentials == $1.credentials }
  }
}

extension Setting {
  /// All keys, in the order in which the file is read.
  static let all: [Setting] = [
    Setting(
      "library.timeZone", \.library.timeZone, .example("\"Europe/Berlin\""),
      "time zone of days and times; default: TZ of the shell that starts the daemon, else the system's",
      .atNextStart
    ) { value throws(ConfigurationError) in try value.zone() },
    Setting(
      "library.dayStartsAt", \.library.dayStartsAt, .usually("\"00:00\""),
      "the time at which the day begins", .atNextStart
    ) { value throws(ConfigurationError) in try value.minutes() },

    Setting(
      "network.contact", \.network.contact, .example("\"ann@example.org\""), "sent to servers that ask for a contact"
    ) { value throws(ConfigurationError) in try value.contact() },
    Setting("network.offline", \.network.offline, .usually("false"), "true: nothing is fetched") {
      value throws(ConfigurationError) in try value.boolean()
    },
    Setting(
      "network.allow", \.network.allow, .example("[\"http://nas.local:8080\"]"),
      """
      origins that may resolve to private addresses, and may be the target of redirects; a URL given with localhost or \
      a numeric private address needs no entry
      """
    ) { value throws(ConfigurationError) in try value.origins() },

    Setting(credential: "origin", .example("\"https://groupware.example\""), "the secret is sent to this origin only"),
    Setting(credential: "env", .example("\"WORK_TOKEN\""), "a variable of the shell that starts the daemon"),
    Setting(credential: "file", .example("\"/home/ann/.work-token\""), "or a file of mode 0600, instead of env"),
    Setting(
      credential: "command", .example("[\"pass\", \"work\"]"), "or a program that prints the secret, instead of both"),

    Setting(
      "books.google.url", \.features.books.google.url, .usually("\"https://www.googleapis.com/books/v1\""),
      "base URL of Google Books"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "books.google.credential", \.features.books.google.credential, .example("\"google\""),
      "the name of a credential; Google requires one"
    ) { value throws(ConfigurationError) in try value.text() },
    Setting(
      "books.aladin.url", \.features.books.aladin.url, .usually("\"https://www.aladin.co.kr/ttb/api\""),
      "base URL of Aladin, a catalogue of Korean books"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "books.aladin.credential", \.features.books.aladin.credential, .example("\"aladin\""),
      "the name of a credential; it is searched if it has one"
    ) { value throws(ConfigurationError) in try value.text() },
    Setting(
      "books.openLibrary.url", \.features.books.openLibrary.url, .usually("\"https://openlibrary.org\""),
      "base URL of Open Library"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "books.openLibrary.covers", \.features.books.openLibrary.covers, .usually("\"https://covers.openlibrary.org\""),
      "base URL of its covers"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "books.ndl.url", \.features.books.ndl.url, .usually("\"https://ndlsearch.ndl.go.jp/api\""),
      "base URL of NDL Search, a catalogue of Japanese books"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "books.ndl.search", \.features.books.ndl.isUsual, .usually("false"), "true: it is searched like the others"
    ) { value throws(ConfigurationError) in try value.boolean() },

    Setting(
      "documents.doi", \.features.documents.doi, .usually("\"https://doi.org\""), "base URL of the DOI resolver"
    ) { value throws(ConfigurationError) in try value.url() },
    Setting(
      "documents.crossref", \.features.documents.crossref, .usually("\"https://api.crossref.org\""),
      "base URL of Crossref"
    ) { value throws(ConfigurationError) in try value.url() },

    Setting(
      "diary.template", \.features.diary.template, .example("\"Morning pages\""),
      "title of the note with which “commonplace note” begins a day"
    ) { value throws(ConfigurationError) in try value.text() },
    Setting(
      "diary.journal", \.features.diary.journal, .example("\"Personal\""),
      "journal of entries that are added without one"
    ) { value throws(ConfigurationError) in try value.text() },

    Setting(
      "boards.download", \.features.boards.attachmentLimit, .usually("512"),
      "MiB of the largest attachment that boards/download stores, 1 to 1024"
    ) { value throws(ConfigurationError) in try value.integer(in: 1...1_024) << 20 },

    Setting(
      "projects.defaultDeadline", \.features.cards.defaultDeadline, .usually("\"today\""),
      "or \"none\": default deadline of new cards"
    ) { value throws(ConfigurationError) in try value.choice([("today", .today), ("none", .none)]) },
    Setting(
      "projects.remindAt", \.features.cards.remindAt, .usually("\"09:00\""),
      "when reminders of whole days are due"
    ) { value throws(ConfigurationError) in try value.minutes() },

    Setting(
      "sync.target", \.features.sync.kind, .example("\"folder\""),
      "or \"webdav\" or \"s3\": where devices exchange files; then run “commonplace sync set-up”"
    ) { value throws(ConfigurationError) in
      try value.choice(SyncSettings.Kind.allCases.map { ($0.rawValue, $0) })
    },
    Setting(
      "sync.url", \.features.sync.place, .example("\"/home/ann/Sync/commonplace\""),
      "the path of the folder, or the URL of the WebDAV folder or of the S3 endpoint"
    ) { value throws(ConfigurationError) in try value.place() },
    Setting(
      "sync.credential", \.features.sync.credential, .example("\"cloud\""),
      "the name of a credential, whose secret is name:password or key ID:secret key"
    ) { value throws(ConfigurationError) in try value.text() },
    Setting("sync.bucket", \.features.sync.bucket, .example("\"commonplace\""), "the bucket, for s3") {
      value throws(ConfigurationError) in try value.text()
    },
    Setting("sync.region", \.features.sync.region, .usually("\"us-east-1\""), "the region, for s3") {
      value throws(ConfigurationError) in try value.text()
    },
    Setting("sync.prefix", \.features.sync.prefix, .usually("\"\""), "a folder in the bucket, for s3") {
      value throws(ConfigurationError) in try value.text()
    },
    Setting(
      "sync.style", \.features.sync.usesPath, .usually("\"path\""),
      "or \"virtual\": the bucket is a part of the host's name, for s3"
    ) { value throws(ConfigurationError) in try value.choice([("path", true), ("virtual", false)]) },
    Setting(
      "sync.every", \.features.sync.interval, .usually("5"),
      "minutes between two exchanges, 1 to 1440; 0: only on “commonplace sync run”"
    ) { value throws(ConfigurationError) in
      let minutes = try value.integer(in: 0...1_440)
      return minutes == 0 ? nil : .seconds(60 * minutes)
    },
    Setting(
      "sync.files", \.features.sync.fetchesAllFiles, .usually("\"all\""),
      "or \"opened\": files of other devices are fetched once they are opened"
    ) { value throws(ConfigurationError) in try value.choice([("all", true), ("opened", false)]) },
    Setting(
      "sync.allowPlain", \.features.sync.allowsPlain, .usually("false"), "true: also unencrypted http"
    ) { value throws(ConfigurationError) in try value.boolean() },

    Setting(
      "hooks.changed", \.features.hooks.changed, .example("[\"/home/ann/bin/changed\"]"),
      "program that is run after changes, with its arguments; the changes are its input"
    ) { value throws(ConfigurationError) in try value.texts() },
    Setting(
      "hooks.timeout", \.features.hooks.limit, .usually("60"), "seconds after which it is killed, 1 to 3600"
    ) { value throws(ConfigurationError) in .seconds(try value.integer(in: 1...3_600)) },

    Setting("pdf.workers", \.pdf.workers, .usually("2"), "processes that read PDFs, 1 to 16", .atNextStart) {
      value throws(ConfigurationError) in try value.integer(in: 1...16)
    },
    Setting("pdf.timeout", \.pdf.timeout, .usually("20"), "seconds a request may take, 1 to 600", .atNextStart) {
      value throws(ConfigurationError) in .seconds(try value.integer(in: 1...600))
    },
    Setting("pdf.memory", \.pdf.memory, .usually("1024"), "MiB that a worker may use, 128 to 65536", .atNextStart) {
      value throws(ConfigurationError) in try value.integer(in: 128...65_536)
    },
    Setting(
      "pdf.sandbox", \.pdf.sandbox, .usually("\"required\""),
      "or \"best-effort\", for kernels without seccomp", .atNextStart
    ) { value throws(ConfigurationError) in
      try value.choice([("required", .required), ("best-effort", .bestEffort)])
    },
    Setting(
      "pdf.cache", \.features.pictures.limit, .usually("256"),
      "MiB of rendered pages in the cache; 0: no cache"
    ) { value throws(ConfigurationError) in Int64(try value.integer(in: 0...65_536)) << 20 },
    Setting(
      "pdf.ahead", \.features.pictures.drawsAhead, .usually("true"),
      "render the next page and the previous one in advance"
    ) { value throws(ConfigurationError) in try value.boolean() },

    Setting(
      "agents.commitsPerMinute", \.agents.commitsPerMinute, .usually("60"), "changes per minute of a session, 1 to 6000"
    ) { value throws(ConfigurationError) in try value.integer(in: 1...6_000) },
    Setting(
      "agents.itemsPerCommit", \.agents.itemsPerCommit, .usually("100"), "items that one change may touch, 1 to 10000"
    ) { value throws(ConfigurationError) in try value.integer(in: 1...10_000) },
    Setting(
      "agents.readLimit", \.agents.readLimit, .usually("64"), "MiB that a session may read, 1 to 65536"
    ) { value throws(ConfigurationError) in try value.integer(in: 1...65_536) },
    Setting(
      "agents.answerTokens", \.agents.answerTokens, .usually("8000"), "tokens of one answer, 500 to 200000"
    ) { value throws(ConfigurationError) in try value.integer(in: 500...200_000) },
  ]

  /// The keys directly in a section, in the order of their declarations.
  static func names(in section: [String]) -> [String] {
    var names: [String] = []
    for setting in all where setting.path.starts(with: section) && setting.path.count > section.count {
      let name = setting.path[section.count]
      if names.last != name { names.append(name) }
    }
    return names
  }

  static func at(_ path: [String]) -> Setting? { all.first { $0.path == path } }
}
