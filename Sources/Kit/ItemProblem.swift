import Contract
import Display
import Store
import Wire

/// Why a method failed for one of several items: the error that a request for this item alone would get.
package struct ItemProblem: Payload {
  package var code: Int
  package var kind: String?
  package var field: String?
  package var message: String
  package var advice: String?
  package static let example = ItemProblem(
    code: RPCError.Code.typed, kind: "notFound", field: nil, message: "There is no such item.", advice: nil)
  package static let fields = [
    "code": "The error's code.", "kind": "The error's kind, if it has one.",
    "field": "For an invalid param: its path, such as `state`.", "message": "For people.",
    "advice": "What to do about it.",
  ]
  package static let limits: [String: FieldLimits] = ["message": .form(.namingFiles), "advice": .form(.namingFiles)]
}

extension ItemProblem {
  /// An error in the language of the snapshot's reader.
  init(_ error: RPCError, in snapshot: Snapshot) {
    code = error.code
    kind = error.kind?.rawValue
    field = error.data["field"]?.stringValue
    message = snapshot.services.catalogue.string(for: error.text, language: snapshot.reader.language)
    advice = snapshot.services.catalogue.advice(on: error.text, language: snapshot.reader.language)
  }
}
