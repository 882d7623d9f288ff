import Contract
import Wire

/// One occurrence of the searched text.
struct FoundText: Payload {
  var page: Int
  var quads: [[Double]]
  var before: String
  var match: String
  var after: String

  static let example = FoundText(
    page: 2, quads: [[72, 90, 240, 90, 240, 102, 72, 102]], before: "This is ", match: "a line of text",
    after: " and more.")
  static let fields = [
    "page": "The page, from 0.",
    "quads": "One per line that it touches; empty if the positions of the characters are unknown.",
    "before": "The 48 characters before it on the page, unchanged.",
    "match": "The matching text, unchanged: lines end at U+000A, and a hyphen before a line end stays.",
    "after": "The 48 characters after it on the page.",
  ]

  /// Characters of context on each side.
  static let context = 48

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("page", page)
    json.member("quads")
    json.write(.array(quads.map { .array($0.map(JSONValue.number)) }))
    json.member("before", before)
    json.member("match", match)
    json.member("after", after)
    json.endObject()
  }
}
