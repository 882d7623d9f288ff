import Contract

/// A text by its URI.
struct TextName: Payload {
  var uri: String
  static let example = TextName(uri: "file:///home/reader/notes.md")
  static let fields = ["uri": "Its URI."]
}
