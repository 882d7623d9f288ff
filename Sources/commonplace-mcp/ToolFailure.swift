import Client
import Contract
import Wire

/// An error that the model can repair, the text of an error result: what was wrong, and what to do.
struct ToolFailure: Error {
  var text: String
  /// Members for programs: `kind`, `field`, `current`.
  var data: JSONObject

  init(_ text: String, data: JSONObject = [:]) {
    (self.text, self.data) = (text, data)
  }

  /// The daemon's error, with the field and the advice that it names.
  init(_ error: RemoteError) {
    var text = error.message
    if let advice = error.data?["advice"]?.stringValue, !text.hasSuffix(advice) { text += " " + advice }
    var data: JSONObject = [:]
    for name in ["kind", "field", "reason", "retryAfter", "collection", "id", "next", "conflicts"] {
      data[name] = error.data?[name]
    }
    if let field = data["field"]?.stringValue, !text.contains(field) { text = "\(field): \(text)" }
    self.init(text, data: data)
  }

  init(_ error: any Error) {
    switch error {
    case let error as ToolFailure: self = error
    case let error as RemoteError: self.init(error)
    case is CancellationError: self.init("The call was cancelled.")
    default:
      self.init(
        "The library cannot be reached: \(error). Try again; if it fails again, ask the user to run “commonplace call "
          + "session/ping”.", data: ["kind": "unreachable"])
    }
  }
}
