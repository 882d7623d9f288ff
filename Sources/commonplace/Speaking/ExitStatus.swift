import Store
import Wire

/// The exit statuses. Scripts rely on the numbers: none ever changes its meaning.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failed = 1
  case usage = 2
  case noDaemon = 3
  case notFound = 4
  case conflict = 5
  case busy = 6
  case network = 7
  case file = 8
  case socket = 9
  case libraryInUse = 10
  case newerLibrary = 11
  case brokenLibrary = 12
  case readOnly = 13
  case diskFull = 14
  case configuration = 15
  case allFailed = 16
  case ioError = 17
  case cancelled = 130

  var meaning: String {
    switch self {
    case .success: "Done."
    case .failed: "It failed for another reason, or “check” found something."
    case .usage: "The arguments or the parameters are wrong."
    case .noDaemon: "No daemon is running or could be started, or the daemon ended."
    case .notFound: "There is no such item or file."
    case .conflict: "The item has changed, exists already, or does not allow this."
    case .busy: "Too much is waiting, or it took too long."
    case .network: "A server could not be reached, or refused."
    case .file: "The file cannot be used: damaged, too large, locked by a password."
    case .socket: "The socket cannot be used."
    case .libraryInUse: "Another process owns the library."
    case .newerLibrary: "A newer Commonplace wrote the library."
    case .brokenLibrary: "The library is damaged."
    case .readOnly: "The library, or a folder, cannot be written."
    case .diskFull: "The disk is full."
    case .configuration: "config.toml has a mistake."
    case .allFailed: "Nothing could be done; the output says why."
    case .ioError: "The disk reported an input/output error."
    case .cancelled: "It was cancelled."
    }
  }

  /// For the help text.
  static var table: String {
    let rows = allCases.map { status in
      let number = String(status.rawValue)
      return "  " + number + String(repeating: " ", count: 5 - number.count) + status.meaning
    }
    return (["EXIT STATUS"] + rows).joined(separator: "\n")
  }

  private static let endings = Set(RPCError.endings.map(\.text.key))

  /// What the user may not read, or is no file.
  private static let ofFiles: Set = ["documents.fileError", "file.notRegular", "file.unreadable"]

  /// The status of an error in a reply. `key` is the stable name of its sentence: it distinguishes the library's own
  /// damage from a document's, and the end of the daemon from a wrong request.
  init(code: Int, kind: String?, key: String?) {
    switch code {
    case RPCError.Code.invalidRequest where key.map(Self.endings.contains) == true: self = .noDaemon
    case RPCError.Code.cancelled: self = kind == ErrorKind.superseded.rawValue ? .busy : .cancelled
    case RPCError.Code.invalidParams, RPCError.Code.methodNotFound, RPCError.Code.invalidRequest: self = .usage
    case RPCError.Code.busy: self = .busy
    default: self = kind.flatMap(ErrorKind.init).map { Self(kind: $0, key: key) } ?? .failed
    }
  }

  private init(kind: ErrorKind, key: String?) {
    self =
      switch kind {
      case .invalidURL: .usage
      case .notFound: .notFound
      case .notAllowed: key.map(Self.ofFiles.contains) == true ? .file : .conflict
      case .ambiguous, .conflict, .exists, .nothingToUndo: .conflict
      case .busy, .superseded, .timedOut: .busy
      case .badResponse, .elsewhere, .httpStatus, .rateLimited, .refusedAddress, .unauthorized, .unreachable:
        .network
      case .corrupt: key == "error.brokenLibrary" ? .brokenLibrary : .file
      case .noFile, .notPDF, .passwordRequired, .sandboxUnavailable, .signed, .tooLarge, .workerCrashed: .file
      case .libraryInUse: .libraryInUse
      case .newerLibrary: .newerLibrary
      case .readOnly: .readOnly
      case .diskFull: .diskFull
      case .ioError: .ioError
      case .internalError: .failed
      }
  }
}
