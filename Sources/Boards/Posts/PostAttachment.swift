import Contract

/// An attachment of a post.
struct PostAttachment: Payload, Equatable {
  var url: String?
  var title: String?
  var type: String?
  var size: Int64?
  var duration: Int?
  static let example = PostAttachment(
    url: "https://groupware.example/menu.pdf", title: "menu.pdf", type: "application/pdf", size: 40_960)
  static let fields = [
    "url": "Its URL.", "title": "Its name.", "type": "Its media type, as the source states.", "size": "Size in bytes.",
    "duration": "The length of a recording in seconds, as the source states.",
  ]
}
