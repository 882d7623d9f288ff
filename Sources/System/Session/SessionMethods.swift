import Contract
import Display
import Kit
import Store
import Synchronization
import Wire

enum Shutdown: ControlMethod {
  static let name = "shutdown"
  static let summary = "Announces that the client disconnects: it sends nothing more but `exit`."
  static let effects: Effects = []
  static let isLanguageServer = true
  typealias Params = Empty
  typealias Result = Null

  static func run(_ params: Empty, in session: any Session) throws -> Null {
    session.beginShutdown()
    return Null()
  }
}

enum Ping: ControlMethod {
  static let name = "session/ping"
  static let summary = "Returns at once, whatever else runs."
  static let effects: Effects = []
  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Empty, in session: any Session) throws -> Empty { Empty() }
}

/// A barrier: a read that reads nothing. Its reply states that everything before it is done and notified.
enum Sync: ReadMethod {
  static let name = "session/sync"
  static let summary = "Returns when all earlier writes are done and every change up to `clock` was notified."
  static let effects: Effects = .reads
  static let isQuick = true
  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Empty { Empty() }
}

enum Configure: ControlMethod {
  static let name = "session/configure"
  static let summary = "Changes this connection's language, time zone and position encoding, from now on."
  static let effects: Effects = []

  struct Params: Payload {
    var locale: String?
    var timeZone: String?
    var positionEncoding: Encoding?
    static let example = Params(locale: "ko-KR", timeZone: "Asia/Seoul", positionEncoding: nil)
    static let fields = [
      "locale": "The language of sentences and dates, as a BCP 47 tag.",
      "timeZone": "An IANA time zone.",
      "positionEncoding": "The unit of offsets and lengths in texts.",
    ]
  }

  enum Encoding: String, Choice {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    case utf32 = "utf-32"
  }

  struct Result: Payload {
    var locale: String
    var timeZone: String
    var positionEncoding: Encoding
    static let example = Result(locale: "ko-KR", timeZone: "Asia/Seoul", positionEncoding: .utf16)
    static let fields = [
      "locale": "The value in effect.", "timeZone": "The value in effect.", "positionEncoding": "The value in effect.",
    ]
  }

  static func run(_ params: Params, in session: any Session) throws -> Result {
    do {
      try session.reader.configure(locale: params.locale, timeZone: params.timeZone)
    } catch {
      throw error.reply
    }
    if let encoding = params.positionEncoding.flatMap({ PositionEncoding(rawValue: $0.rawValue) }) {
      session.reader.positionEncoding = encoding
    }
    let reader = session.reader
    return Result(
      locale: reader.locale.identifier, timeZone: reader.zone.identifier,
      positionEncoding: Encoding(rawValue: reader.positionEncoding.rawValue) ?? .utf16)
  }
}

enum Confine: ControlMethod {
  static let name = "session/confine"
  static let summary =
    "Confines the files that this connection's requests name to some folders, from now on. Other paths are refused, and "
    + "so are paths with symbolic links: a client that has checked a path knows what is opened. A later call replaces "
    + "the folders. A watched folder and a mirror stay confined as they were when this connection named them, and one "
    + "that was made without this confinement cannot be replaced or ended."
  static let effects: Effects = []

  struct Params: Payload {
    var folders: [String]
    var closed: [String]?
    static let example = Params(folders: ["/home/ann/papers"], closed: nil)
    static let fields = [
      "folders": "Absolute paths without symbolic links; the files in them and below. Empty: no file.",
      "closed": "Folders that stay out of reach, even below the others.",
    ]
    static let limits: [String: FieldLimits] = [
      "folders": FieldLimits(maximumLength: 100, form: .absolutePath),
      "closed": FieldLimits(maximumLength: 100, form: .absolutePath),
    ]
  }
  typealias Result = Empty

  static func run(_ params: Params, in session: any Session) throws -> Empty {
    session.confinement = FileConfinement(folders: params.folders, closed: params.closed ?? [])
    return Empty()
  }
}

enum Discover: DetachedMethod {
  static let name = "rpc.discover"
  static let summary = "This protocol as an OpenRPC 1.3 document, with labels in the client's language."
  static let effects: Effects = []
  static let isLanguageServer = true

  struct Params: Payload {
    var schemas: Bool?
    static let example = Params(schemas: nil)
    static let fields = [
      "schemas":
        "`false`: without schemas, texts, errors, examples and notifications, a tenth of the document: methods with their "
        + "effects and the names of their params, and collections. Default true."
    ]
  }
  typealias Result = JSONObject

  static func run(_ params: Params, for reader: Reader, with services: Services) async throws -> JSONObject {
    let language = params.schemas == false ? nil : reader.language
    return try await services.memory.object(Discovery.self) { Discovery() }.document(in: language, with: services)
  }

  /// Created once for each language, on a thread of its own: the shapes of all methods take a quarter of a second. That
  /// without schemas has no language.
  private final class Discovery: Sendable {
    private let making = SharedWork<JSONObject>()
    private let made = Mutex<[Language?: JSONObject]>([:])

    func document(in language: Language?, with services: Services) async throws -> JSONObject {
      if let made = made.withLock({ $0[language] }) { return made }
      return try await making.value(for: language?.rawValue ?? "") { [self] _ in
        let document = try await onThread { _ in
          let (reference, title) = (services.library.reference, "Commonplace")
          guard let language else {
            return reference.outline(title: title, version: Version.current).objectValue ?? [:]
          }
          return reference.openRPC(
            title: title, version: Version.current, words: { services.catalogue.word($0, in: language) }
          ).objectValue ?? [:]
        }
        made.withLock { $0[language] = document }
        return document
      }
    }
  }
}
