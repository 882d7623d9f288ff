import Contract
import Kit
import Store
import Wire

/// How a list of posts is saved: the box marks a post as read, and the star as saved. Nothing else of it is.
struct PostListEditing: TextEditing {
  let collection = PostRecord.collectionName
  // So that an anchor decides even in a text of one post. `lane(of:)` keeps each of them.
  let removesMissing = true

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    var parsed = ParsedText()
    let known = Dictionary(items.compactMap { item in item.anchor.map { ($0, item) } }) { first, _ in first }
    for (place, line) in TextLines.split(text).enumerated() where !line.hasPrefix("#") {
      func note(_ kind: TextProblem.Kind) {
        parsed.problems.append(TextProblem(kind, lines: place..<(place + 1), message: Text("text.onlyMarks")))
      }
      let (rest, anchor) = TextAnchor.split(line)
      if rest.allSatisfy(\.isWhitespace), anchor == nil { continue }
      guard var post = PostLine(rest) else {
        note(.unsaved)
        continue
      }
      if let base = anchor.flatMap({ known[$0] }).flatMap({ PostLine($0.content[...]) }),
        !sameBytes(base.words, post.words)
      {
        note(.readOnly)
        post.words = base.words
      }
      parsed.items.append(ParsedTextItem(anchor: anchor, lines: place..<(place + 1), content: post.text))
    }
    return parsed
  }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    throw RPCError(.notAllowed, text: Text("text.onlyMarks"))
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    guard let base = PostLine(old[...]), let post = PostLine(new.content[...]) else { return .unchanged }
    let now = transaction.now
    let isChanged = try PostMarks.set(id, in: transaction) { mark in
      if base.isRead != post.isRead { mark.readAt = post.isRead ? mark.readAt ?? now : nil }
      if base.isSaved != post.isSaved { mark.savedAt = post.isSaved ? mark.savedAt ?? now : nil }
    }
    return isChanged ? .changed : .unchanged
  }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try snapshot.find(PostSummary.self, id: id).map { try PostLines(on: path, in: snapshot).line(of: $0).text }
  }

  /// No text owns a post: a line that is missing means nothing.
  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? { nil }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool { false }

  func remove(_ id: String, in transaction: Transaction) throws {}

  func title(of id: String, in snapshot: Snapshot) throws -> String {
    try snapshot.find(PostSummary.self, id: id)?.head.title ?? ""
  }
}
