import Contract
import Display
import Wire

extension StatusReport {
  /// The state of config.toml, and the settings in effect.
  package struct Configuration: Payload {
    package var path: String
    package var exists: Bool
    package var mistake: Mistake?
    package var warnings: [String]
    package var waiting: [String]
    package var settings: Settings

    package static let example = Configuration(
      path: "/home/ann/.config/commonplace/config.toml", exists: true, mistake: nil, warnings: [], waiting: [],
      settings: .example)
    package static let fields = [
      "path": "The file.", "exists": "Whether the file exists; without it, all settings have their defaults.",
      "mistake": "The error in the file as it is now. Until it is fixed, the previous settings stay in effect.",
      "warnings": "Settings that are valid but cannot work as written.",
      "waiting": "Keys whose new values take effect when the daemon is restarted.",
      "settings": "The settings in effect.",
    ]
    package static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]

    /// The state in the language of an audience.
    package init(_ state: ConfigurationState, catalogue: Catalogue, for reader: Reader) {
      func words(_ text: Text) -> String { catalogue.string(for: text, language: reader.language) }
      path = state.path
      exists = state.isThere
      mistake = state.mistake.map { mistake in
        Mistake(
          line: mistake.line, key: mistake.key, message: words(mistake.text),
          advice: catalogue.advice(on: mistake.text, language: reader.language))
      }
      warnings = state.warnings.map(words)
      waiting = state.waiting
      settings = state.settings
    }

    private init(
      path: String, exists: Bool, mistake: Mistake?, warnings: [String], waiting: [String], settings: Settings
    ) {
      self.path = path
      self.exists = exists
      self.mistake = mistake
      self.warnings = warnings
      self.waiting = waiting
      self.settings = settings
    }
  }

  package struct Mistake: Payload {
    package var line: Int?
    package var key: String?
    package var message: String
    package var advice: String?

    package static let example = Mistake(
      line: 7, key: "pdf.wokers", message: "config.toml, line 7: there is no key “pdf.wokers”.",
      advice: "Did you mean “workers”?")
    package static let fields = [
      "line": "The line, from 1; absent if it concerns the whole file.", "key": "The key concerned, if any.",
      "message": "For people.", "advice": "What to do about it.",
    ]
  }

  /// The settings of config.toml, with default values for those that are not set. Contains no secrets.
  package struct Settings: Payload {
    package var timeZone: String
    package var dayStartsAt: String
    package var contact: String?
    package var offline: Bool
    package var allow: [String]
    package var credentials: [NamedCredential]
    package var google: String
    package var googleCredential: String?
    package var openLibrary: String

    package init(
      timeZone: String, dayStartsAt: String, contact: String?, offline: Bool, allow: [String],
      credentials: [NamedCredential], google: String, googleCredential: String?, openLibrary: String
    ) {
      self.timeZone = timeZone
      self.dayStartsAt = dayStartsAt
      self.contact = contact
      self.offline = offline
      self.allow = allow
      self.credentials = credentials
      self.google = google
      self.googleCredential = googleCredential
      self.openLibrary = openLibrary
    }

    package static let example = Settings(
      timeZone: "Europe/Berlin", dayStartsAt: "04:00", contact: "ann@example.org", offline: false, allow: [],
      credentials: [.example], google: "https://www.googleapis.com/books/v1", googleCredential: nil,
      openLibrary: "https://openlibrary.org")
    package static let fields = [
      "timeZone": "`library.timeZone`, else the system's.", "dayStartsAt": "`library.dayStartsAt`.",
      "contact": "`network.contact`.", "offline": "`network.offline`: nothing is fetched.",
      "allow": "`network.allow`.", "credentials": "The names under `credentials`, in file order.",
      "google": "The base URL of Google Books.", "googleCredential": "The name of its credential.",
      "openLibrary": "The base URL of Open Library.",
    ]
  }

  package struct NamedCredential: Payload {
    package enum From: String, Choice {
      case command, env, file
    }

    package var name: String
    package var origin: String
    package var from: From
    package var isSet: Bool?

    package init(name: String, origin: String, from: From, isSet: Bool?) {
      self.name = name
      self.origin = origin
      self.from = from
      self.isSet = isSet
    }

    package static let example = NamedCredential(
      name: "work", origin: "https://groupware.example", from: .env, isSet: true)
    package static let fields = [
      "name": "The name.", "origin": "The only origin it is sent to.", "from": "Where the secret is read from.",
      "isSet": "For `env`: whether the daemon's environment has that variable.",
    ]
  }
}
