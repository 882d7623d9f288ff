/// The failure of one request, for programs and for people.
package struct RPCError: Error, Sendable, Equatable {
  /// A JSON-RPC or LSP code, or 1 with a `kind`.
  package var code: Int
  package var kind: ErrorKind?
  package var text: Text
  /// Further members of the error's `data`, in addition to `kind`, `key` and `advice`.
  package var data: JSONObject

  package init(code: Int, kind: ErrorKind? = nil, text: Text, data: JSONObject = [:]) {
    self.code = code
    self.kind = kind
    self.text = text
    self.data = data
  }
}

/// The stable names of failures that have no JSON-RPC code of their own.
package enum ErrorKind: String, CaseIterable, Sendable {
  case ambiguous, badResponse, busy, conflict, corrupt, diskFull, elsewhere, exists, httpStatus, internalError,
    invalidURL
  case ioError
  case libraryInUse, newerLibrary, noFile, notAllowed, notFound, notPDF, nothingToUndo, passwordRequired, rateLimited
  case readOnly
  case refusedAddress, sandboxUnavailable, signed, superseded, timedOut, tooLarge, unauthorized, unreachable
  case workerCrashed

  /// The kinds that every request can fail with; a method declares its others (`Method.errors`).
  package static let general: [ErrorKind] = [
    .busy, .corrupt, .diskFull, .internalError, .ioError, .libraryInUse, .readOnly, .superseded, .timedOut,
  ]

  /// When the same request, unchanged, may succeed.
  package enum Retry: String, Sendable {
    /// Only after something was changed: the request, the item, the file or the configuration.
    case no = "no"
    case later = "later"
    /// After `data.retryAfter` seconds.
    case afterDelay = "after `retryAfter`"
    /// Once a person has done what the message advises: freed space, mounted a disk, ended another program.
    case onceMended = "once mended"
  }

  package var retry: Retry {
    switch self {
    case .badResponse, .busy, .elsewhere, .timedOut, .unreachable, .workerCrashed: .later
    case .rateLimited: .afterDelay
    case .diskFull, .ioError, .libraryInUse, .sandboxUnavailable: .onceMended
    case .ambiguous, .conflict, .corrupt, .exists, .httpStatus, .internalError, .invalidURL, .newerLibrary,
      .noFile, .notAllowed, .notFound, .notPDF, .nothingToUndo, .passwordRequired, .readOnly, .refusedAddress, .signed,
      .superseded, .tooLarge, .unauthorized:
      .no
    }
  }

  /// The members of `data` that errors of the kind may have beside `kind`, `key` and `advice`.
  package var dataMembers: [String] {
    switch self {
    case .ambiguous: ["places"]
    case .conflict: ["collection", "id", "current", "next", "commit", "conflicts"]
    case .exists: ["current"]
    case .httpStatus: ["status"]
    case .notFound: ["collection", "id"]
    case .badResponse, .rateLimited, .unreachable: ["retryAfter"]
    default: []
    }
  }
}

extension RPCError {
  package enum Code {
    package static let parseError = -32700
    package static let invalidRequest = -32600
    package static let methodNotFound = -32601
    package static let invalidParams = -32602
    package static let internalError = -32603
    package static let busy = -32000
    /// LSP's code for a request that was cancelled by its client, or superseded by a newer one.
    package static let cancelled = -32800
    /// All errors that are distinguished by `kind`.
    package static let typed = 1
  }

  /// A failure with a kind; its message is the catalogue's `error.<kind>` unless another is given.
  package init(_ kind: ErrorKind, text: Text? = nil, data: JSONObject = [:]) {
    self.init(code: Code.typed, kind: kind, text: text ?? Text("error.\(kind.rawValue)"), data: data)
  }

  /// An invalid parameter: the field's path in the client's notation (`lines[2].text`), and the reason.
  package static func invalidParams(field: String, reason: Text) -> RPCError {
    var text = reason
    text.arguments["field"] = field
    return RPCError(
      code: Code.invalidParams, text: text, data: ["field": .string(field), "reason": .string(reason.key)])
  }

  /// The same error for a parameter inside another: `isbn` becomes `byHand.isbn`.
  package func inside(_ parent: String) -> RPCError {
    guard let field = data["field"]?.stringValue else { return self }
    var error = self
    error.text.arguments["field"] = "\(parent).\(field)"
    error.data["field"] = .string("\(parent).\(field)")
    return error
  }

  package static let cancelled = RPCError(code: Code.cancelled, text: Text("error.cancelled"))

  package static let superseded = RPCError(
    code: Code.cancelled, kind: .superseded, text: Text("error.superseded"))

  /// A programming error. Details are logged and never sent to the client, since they may quote user-written text.
  // swift-format-ignore: DontRepeatTypeInStaticProperties
  package static let internalError = RPCError(
    code: Code.internalError, kind: .internalError, text: Text("error.internal"))

  package static func notFound(_ collection: String, id: String) -> RPCError {
    RPCError(
      .notFound, text: Text("error.notFound", ["collection": collection, "id": id]),
      data: ["collection": .string(collection), "id": .string(id)])
  }
}
