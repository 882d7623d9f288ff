import Contract
import SQLite
import Store
import Wire

/// Why something could not be fetched, as stored in a column: the message is composed when it is read.
package struct StoredProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]
  /// The service's earliest time for another request: UTC milliseconds.
  var retryAt: Int64?
  /// When the failure occurred: UTC milliseconds.
  var foundAt: Int64?
  /// Whether it does not concern the other boards of its source.
  package var isOfPlace: Bool?

  package init(_ error: RPCError, at now: Instant, isOfPlace: Bool = false) {
    foundAt = now.milliseconds
    self.isOfPlace = isOfPlace ? true : nil
    retryAt = error.data["retryAfter"]?.integerValue.map { now.milliseconds + $0 * 1_000 }
    kind = error.kind?.rawValue
    key = error.text.key
    arguments = error.text.arguments
  }

  private var error: RPCError {
    RPCError(kind.flatMap(ErrorKind.init(rawValue:)) ?? .badResponse, text: Text(key, arguments))
  }

  /// For so long a board without stored posts is not requested again when a client opens it, in milliseconds.
  private static let patience: Int64 = 5_000

  /// Whether a user who opens a board without stored posts may cause another request.
  package func mayBeAskedAgain(at now: Instant) -> Bool {
    guard isOfPlace != true, (retryAt ?? 0) <= now.milliseconds else { return false }
    // A clock that was set back must not extend it.
    return abs(now.milliseconds - (foundAt ?? 0)) >= Self.patience
  }

  /// The error with the remaining waiting time, in seconds, in its data and its sentence; without a time if that has
  /// passed.
  package func error(at now: Instant) -> RPCError {
    var error = error
    let left = retryAt.map { ($0 - now.milliseconds + 999) / 1_000 } ?? 0
    if left > 0 { error.data["retryAfter"] = .integer(left) }
    error.text = error.text.askingAgain(in: left)
    return error
  }
}

extension StoredProblem {
  /// The value of a column with such a failure; null for none.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package static func column(_ error: RPCError?, at now: Instant, isOfPlace: Bool = false) throws -> SQLValue {
    .text(try error.map { try StoredJSON(StoredProblem($0, at: now, isOfPlace: isOfPlace)).json })
  }
}
