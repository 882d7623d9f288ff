import Contract
import Store
import Wire

/// Params with the text of an item, or with its title and the body below it.
package protocol TextParts: FieldParams {}

extension TextParts {
  package static var parts: [ObjectShape.Field] {
    [
      .param(
        "title", String.self, .optional, limits: .length(0...TitledText.maximumLength / 2),
        "The title, without `text`. In an update the rest of the text stays."),
      .param(
        "body", String.self, .optional, limits: .length(0...TitledText.maximumLength / 2),
        "The text below the title. In an update the title stays."),
    ]
  }

  /// The param of an update that restores an earlier text.
  package static var versionParam: ObjectShape.Field {
    .param(
      "version", Int64.self, .optional, limits: .atLeast(1),
      "Restores the text as of this clock; `changes/history` lists the clocks.")
  }

  package var text: String? { given["text"]?.stringValue }
  package var title: String? { given["title"]?.stringValue }
  package var body: String? { given["body"]?.stringValue }
  package var version: Int64? { given["version"]?.exactInteger }

  /// The text of a new item.
  ///
  /// - Throws: `invalidParams` for a text that is too long.
  package func newText() throws -> TitledText {
    let text = text.map { TitledText($0) } ?? TitledText(title: title ?? "", body: body)
    if !text.isBlank { try text.requireLength(of: self.text == nil ? "body" : "text") }
    return text
  }

  /// The text of an item after an update.
  ///
  /// - Throws: `notFound` for a version that is not stored, `invalidParams` for a text that is too long;
  ///   `DatabaseError`.
  package func newText(of item: some WrittenItem, in transaction: Transaction) throws -> TitledText {
    if let version { return TitledText(try transaction.text(of: item, after: version)) }
    let new = TitledText(text ?? TitledText(item.text).replacing(title: title, body: body))
    if !new.isBlank { try new.requireLength(of: text != nil ? "text" : body != nil ? "body" : "title") }
    return new
  }
}
