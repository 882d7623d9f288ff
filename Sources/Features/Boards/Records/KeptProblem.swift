import Display
import Store
import Wire

/// Why something could not be fetched, as it lies in a column: it is put into words when somebody reads it.
struct KeptProblem: Codable, Sendable {
  var kind: String?
  var key: String
  var arguments: [String: String]

  init(_ error: RPCError) {
    kind = error.kind?.rawValue
    key = error.text.key
    arguments = error.text.arguments
  }

  var error: RPCError {
    RPCError(kind.flatMap(ErrorKind.init(rawValue:)) ?? .badResponse, text: Text(key, arguments))
  }
}

extension KeptProblem {
  static func column(_ error: RPCError?) throws -> SQLValue {
    .text(try error.map { try StoredJSON(KeptProblem($0)).json })
  }

  /// What a column holds, for a reader.
  static func shown(_ column: String?, in snapshot: Snapshot) throws -> RemoteProblem? {
    try column.map {
      RemoteProblem(
        try StoredJSON<KeptProblem>(stored: $0).value().error, for: snapshot.reader, services: snapshot.services)
    }
  }
}
