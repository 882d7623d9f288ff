import Contract
import Markup
import Wire

/// A topic's posts as one body: the first, and each answer below a line with its writer and date.
struct DiscourseThread {
  let base: String
  let checkCancelled: () throws -> Void

  func body(_ posts: [JSONValue], isWhole: Bool) throws -> FetchedPost.Body {
    var body = FetchedPost.Body(html: "", text: "", isWhole: isWhole)
    var images: Set<String> = []
    for (index, value) in posts.enumerated() {
      try checkCancelled()
      guard let fields = ServiceFields(value), isShown(fields) else { continue }
      let own = try FetchedPost.Body.safe(
        heading(fields, isFirst: index == 0) + (fields.text("cooked") ?? ""), base: base + "/",
        checkCancelled: checkCancelled)
      body.html += own.html
      body.text += body.text.isEmpty ? own.text : "\n\n" + own.text
      for image in own.images {
        guard body.images.count < FetchedPost.imagesLimit else { break }
        if images.insert(image).inserted { body.images.append(image) }
      }
      body.isWhole = body.isWhole && own.isWhole
    }
    return body
  }

  /// Not deleted posts, and not the notes that a topic was closed or moved.
  private func isShown(_ fields: ServiceFields) -> Bool {
    fields.text("deleted_at") == nil && fields.count("post_type") != 3
  }

  private func heading(_ fields: ServiceFields, isFirst: Bool) -> String {
    guard !isFirst, let writer = Self.writer(fields) else { return "" }
    let time = fields.instant("created_at").map { " <time datetime=\"\($0)\">\($0.day)</time>" } ?? ""
    return "<hr><p><strong>\(Self.escaped(writer.name))</strong>\(time)</p>"
  }

  static func writer(_ fields: ServiceFields) -> FetchedPost.Writer? {
    (fields.text("name") ?? fields.text("username")).map { FetchedPost.Writer(name: $0) }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
