import Contract
import Kit
import SearchEngine
import Store
import Wire

enum TagPosts: WriteMethod {
  static let name = "boards/tag"
  static let summary =
    "Gives posts tags of the user's, or removes some, in any spelling. The source's own topics stay. A tagged post is "
    + "not dropped by the limits of its source. Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var ids: [PostID]
    var add: [String]?
    var remove: [String]?
    static let example = Params(ids: ["0193"], add: ["recipes"], remove: nil)
    static let fields = ["ids": "The posts.", "add": "The tags to add.", "remove": "The tags to remove."]
    static let limits: [String: FieldLimits] = [
      "ids": .length(1...1_000),
      "add": FieldLimits(minimumLength: 1, maximumLength: TagList.most, notBlank: true),
      "remove": FieldLimits(minimumLength: 1, maximumLength: TagList.most, notBlank: true),
    ]
  }
  typealias Result = MarkedPosts

  static func run(_ params: Params, in transaction: Transaction) throws -> MarkedPosts {
    let added = try TagList.normalized(params.add ?? [], field: "add")
    let removed = Set((params.remove ?? []).map(foldedText))
    var count = 0
    for id in params.ids {
      _ = try transaction.snapshot.get(PostSummary.self, id: id.text)
      let known = try transaction.snapshot.find(PostMarkRecord.self, id: id.text)?.tags ?? []
      var tags = known.filter { !removed.contains(foldedText($0)) }
      var present = Set(tags.map(foldedText))
      tags += added.filter { present.insert(foldedText($0)).inserted }
      guard tags.count <= TagList.most else {
        throw RPCError.invalidParams(
          field: "add", reason: Text("param.count.maximum", ["maximum": String(TagList.most)]))
      }
      if try PostMarks.set(id.text, in: transaction, { $0.tags = tags }) { count += 1 }
    }
    return MarkedPosts(count: count)
  }
}

enum NotePost: WriteMethod {
  static let name = "boards/note"
  static let summary =
    "Sets the user's note on a post, or removes it. Its words find the post in `search/query`, and `is:noted` finds "
    + "all posts with one. Such a post is not dropped by the limits of its source. Works offline."
  static let effects: Effects = [.reads, .writes]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: PostID
    var note: String
    static let example = Params(id: "0193", note: "Ask Ann for the recipe.")
    static let fields = ["id": "The post.", "note": "The note; empty to remove it."]
    static let limits: [String: FieldLimits] = ["note": .length(0...PostMarkRecord.longestNote)]
  }
  typealias Result = Post

  static func run(_ params: Params, in transaction: Transaction) throws -> Post {
    let record = try transaction.snapshot.get(PostRecord.self, id: params.id.text)
    let note = params.note.allSatisfy(\.isWhitespace) ? nil : params.note
    try PostMarks.set(record.id, in: transaction) { $0.note = note }
    return try Post(ShownPost.single(record, in: transaction.snapshot))
  }
}
