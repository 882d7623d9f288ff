import Contract
import Display
import Store
import Wire

/// Why something could not be fetched, as it lies in a column: it is put into words when somebody reads it.
struct KeptProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]
  /// Not to be asked again before, as the service says: UTC milliseconds.
  var retryAt: Int64?

  init(_ error: RPCError, at now: Instant) {
    retryAt = error.data["retryAfter"]?.integerValue.map { now.milliseconds + $0 * 1_000 }
    kind = error.kind?.rawValue
    key = error.text.key
    arguments = error.text.arguments
  }

  var error: RPCError {
    RPCError(kind.flatMap(ErrorKind.init(rawValue:)) ?? .badResponse, text: Text(key, arguments))
  }

  /// In a sentence that names the time, what is left of it.
  fileprivate func error(at now: Instant) -> RPCError {
    guard let retryAt else { return error }
    let left = max(0, (retryAt - now.milliseconds + 999) / 1_000)
    var error = error
    if arguments["seconds"] != nil { error.text.arguments["seconds"] = String(left) }
    error.data["retryAfter"] = .integer(left)
    return error
  }
}

extension KeptProblem {
  static func column(_ error: RPCError?, at now: Instant) throws -> SQLValue {
    .text(try error.map { try StoredJSON(KeptProblem($0, at: now)).json })
  }

  /// What a column holds, for a reader.
  static func shown(_ column: String?, in snapshot: Snapshot) throws -> RemoteProblem? {
    try column.map {
      RemoteProblem(
        try StoredJSON<KeptProblem>(stored: $0).value().error(at: snapshot.services.now()), for: snapshot.reader,
        services: snapshot.services)
    }
  }
}
