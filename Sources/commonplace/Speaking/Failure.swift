import Wire

/// The end of a command that could not do what it was asked: one sentence for people, one number for scripts, and where
/// there is something to choose from, that.
struct Failure: Error {
  var status: ExitStatus
  /// In the user's language; empty where another process has spoken already, or where nobody is to be told.
  var sentence: String
  /// The stable name of what went wrong, of a reply that had one.
  var kind: String?
  /// What the reply had to say besides, such as the current item of a conflict.
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
