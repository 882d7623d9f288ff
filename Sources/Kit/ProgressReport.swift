import Display
import Wire

/// The progress of a long request, independent of language: several clients may wait for the same work, and each gets
/// the report in its own language.
package struct ProgressReport: Sendable {
  package var message: Text?
  /// Placeholders of the message that are sizes: each language formats bytes in its own way.
  package var sizes: [String: ByteCount]
  /// 0 to 100, if the end is known.
  package var percentage: Int?

  package init(_ message: Text? = nil, sizes: [String: ByteCount] = [:], percentage: Int? = nil) {
    self.message = message
    self.sizes = sizes
    self.percentage = percentage
  }

  /// The `value` of a `$/progress`, for a client of this language.
  package func value(in language: Language, catalogue: Catalogue) -> JSONValue {
    var value: JSONObject = ["kind": "report"]
    if var text = message {
      for (place, size) in sizes { text.arguments[place] = size.string(in: language, catalogue: catalogue) }
      value["message"] = .string(catalogue.string(for: text, language: language))
    }
    if let percentage { value["percentage"] = .integer(Int64(percentage)) }
    return .object(value)
  }
}
