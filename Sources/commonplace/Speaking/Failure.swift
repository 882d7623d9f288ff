import Wire

/// A failed command: one sentence for people, one number for scripts, and the choices, if there are any.
struct Failure: Error {
  var status: ExitStatus
  /// In the user's language; empty if another process has printed it already, or if nothing is to be printed.
  var sentence: String
  /// The stable name of the error, if the reply had one.
  var kind: String?
  /// The reply's further data, such as the current item of a conflict.
  var data: JSONValue?
  /// Further lines for people, below the sentence.
  var details: [String] = []

  init(_ status: ExitStatus, _ sentence: String = "") {
    self.status = status
    self.sentence = sentence
  }

  /// `{"error": {"status": 5, "kind": "conflict", "message": …, "data": …}}`
  var json: JSONValue {
    var error: JSONObject = ["status": .integer(Int64(status.rawValue))]
    if let kind { error["kind"] = .string(kind) }
    error["message"] = .string(sentence)
    if let data { error["data"] = data }
    if !details.isEmpty { error["details"] = .array(details.map { .string($0) }) }
    return ["error": .object(error)]
  }
}
