import Contract
import Display
import Kit
import Store
import Wire

/// `boards/post/0193.md`: a stored post, as its first source has it, with the whole article if that was fetched.
struct PostForm: LibraryTextForm {
  let collections: Set = [PostRecord.collectionName]

  func shows(_ path: TextPath) -> Bool { path.segments.count == 3 && path.segments.starts(with: ["boards", "post"]) }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let post = try snapshot.find(PostRecord.self, id: path.segments[2]) else { return nil }
    let dates = snapshot.services.dates
    let date =
      post.head.publishedAt.map { dates.string(.heading, at: $0.milliseconds, for: snapshot.reader) }
      ?? post.head.publishedText
    let board = try post.head.placements.value().first.flatMap { try snapshot.find(BoardRecord.self, id: $0.board) }
    let origin = [post.head.writer, board?.displayName, date].compactMap(\.self).filter { !$0.isBlank }
    var parts = ["# " + post.head.title]
    if !origin.isEmpty { parts.append(origin.joined(separator: " · ")) }
    if let link = post.head.link { parts.append("<\(link)>") }
    let article = try PostAccount.article(of: post.id, in: snapshot)?.text ?? ""
    parts.append([article, post.text].first { !$0.isEmpty } ?? post.head.preview)
    let text = ShownLines.shown(parts.joined(separator: "\n\n") + "\n")
    let item = TextItem(
      collection: PostRecord.collectionName, id: post.id, title: post.head.title, revision: post.revision,
      lines: 0..<TextLines.split(text).count, content: "")
    return RenderedText(text: text, items: [item], isReadOnly: true)
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard try snapshot.find(PostSummary.self, id: target.id) != nil else { return nil }
    return TextPath("boards", "post", target.id).map { LineOfText($0) }
  }
}
