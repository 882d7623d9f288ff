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
      let heading = heading(fields, isFirst: index == 0)
      let own = try FetchedPost.Body.safe(
        heading + (fields.text("cooked") ?? ""), base: base + "/", checkCancelled: checkCancelled)
      if !body.text.isEmpty { body.text += "\n\n" }
      try body.parts.append(part(fields, index, heading: heading, own, in: body))
      body.html += own.html
      body.text += own.text
      for image in own.images {
        guard body.images.count < FetchedPost.imagesLimit else { break }
        if images.insert(image).inserted { body.images.append(image) }
      }
      body.isWhole = body.isWhole && own.isWhole
    }
    return body
  }

  /// A post without its heading, at the end of the body so far.
  private func part(
    _ fields: ServiceFields, _ index: Int, heading: String, _ own: FetchedPost.Body, in body: FetchedPost.Body
  ) throws -> ThreadPart {
    let number = fields.count("post_number") ?? index + 1
    var part = ThreadPart(id: fields.id("id") ?? "#\(number)", number: number)
    part.answers = fields.count("reply_to_post_number")
    part.writer = Self.writer(fields)?.name
    part.at = fields.instant("created_at")?.milliseconds
    // The first version is not an edit.
    if fields.count("version").map({ $0 > 1 }) == true { part.editedAt = fields.instant("updated_at")?.milliseconds }
    let title = try FetchedPost.Body.safe(heading, base: nil, checkCancelled: checkCancelled)
    let html = own.html.utf8.starts(with: title.html.utf8) ? title.html.utf8.count : 0
    var text = own.text.utf8.starts(with: title.text.utf8) ? title.text.utf8.count : 0
    if text > 0 { text += own.text.utf8.dropFirst(text).prefix { $0 == 0x0A || $0 == 0x20 }.count }
    (part.html, part.htmlLength) = (body.html.utf8.count + html, own.html.utf8.count - html)
    (part.text, part.textLength) = (body.text.utf8.count + text, own.text.utf8.count - text)
    return part
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
