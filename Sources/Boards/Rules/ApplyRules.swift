import Contract
import Kit
import Store
import Wire

enum ApplyRules: LongWriteMethod {
  static let name = "boards/applyRules"
  static let summary =
    "Runs the rules, or one of them, on the stored posts, in one undo step. With `dryRun`, only reports which posts match. "
    + "Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: RuleID?
    var dryRun: Bool?
    static let example = Params(id: "0195", dryRun: true)
    static let fields = ["id": "The rule. Default: all, in their order.", "dryRun": "`true`: nothing is changed."]
  }

  /// A post that a rule would change, or has changed.
  struct Sample: Payload {
    var id: PostID
    var title: String
    static let example = Sample(id: "0193", title: "Lunch")
    static let fields = ["id": "The post.", "title": "Its title, or a placeholder."]
  }

  struct Applied: Payload {
    var rule: RuleID
    var title: String
    var matched: Int
    var changed: Int
    var samples: [Sample]
    static let example = Applied(rule: "0195", title: "No sports", matched: 12, changed: 3, samples: [.example])
    static let fields = [
      "rule": "The rule.", "title": "Its title, or its query.", "matched": "The number of posts that match it.",
      "changed": "The number of those that it changes: others are hidden, read, saved and tagged already.",
      "samples": "The first posts that it changes, at most 20.",
    ]
  }

  struct Result: Payload {
    var posts: Int
    var count: Int
    var rules: [Applied]
    static let example = Result(posts: 137, count: 3, rules: [.example])
    static let fields = [
      "posts": "The number of stored posts.", "count": "The number of posts that the rules change.",
      "rules": "The rules, in the order in which they run, without those that match no post.",
    ]
  }

  /// The end of the last slice.
  struct Position: Sendable {
    var post = ""
    var posts = 0
    var changed = 0
    var rules: [Applied] = []
  }

  fileprivate static let mostSamples = 20

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    var position = position ?? Position()
    let snapshot = transaction.snapshot
    if position.posts == 0, let id = params.id { _ = try snapshot.get(RuleRecord.self, id: id.text) }
    let rules = PostRules(only: params.id?.text, in: transaction)
    while true {
      guard transaction.hasRoom else { return .more(position) }
      let posts = try PostText.all(in: snapshot.db, "WHERE id > ? ORDER BY id LIMIT 100", [.text(position.post)])
      guard let last = posts.last else { break }
      for post in posts {
        let matches = try rules.run(
          on: PostSearchEntry.entry(PostRecord.collectionName, post.id, post.head, text: post.text),
          at: post.head.placements.value(), isDryRun: params.dryRun == true)
        position.count(matches, of: post, in: snapshot)
      }
      position.posts += posts.count
      position.post = last.id
    }
    let order = try RuleRecord.all(in: snapshot).map(\.id)
    let applied = position.rules.sorted { left, right in
      (order.firstIndex(of: left.rule.text) ?? 0) < (order.firstIndex(of: right.rule.text) ?? 0)
    }
    return .done(Result(posts: position.posts, count: position.changed, rules: applied))
  }
}

extension ApplyRules.Position {
  fileprivate mutating func count(_ matches: [PostRules.Match], of post: PostText, in snapshot: Snapshot) {
    if matches.contains(where: { !$0.actions.isEmpty }) { changed += 1 }
    for match in matches {
      let id = RuleID(unchecked: match.rule.id)
      let index =
        rules.firstIndex { $0.rule == id }
        ?? {
          rules.append(.init(rule: id, title: match.rule.shownTitle, matched: 0, changed: 0, samples: []))
          return rules.count - 1
        }()
      rules[index].matched += 1
      if match.actions.isEmpty { continue }
      rules[index].changed += 1
      guard rules[index].samples.count < ApplyRules.mostSamples else { continue }
      let title = post.head.title.isEmpty ? snapshot.words(Text("day.noTitle")) : post.head.title
      rules[index].samples.append(.init(id: PostID(unchecked: post.id), title: title))
    }
  }
}

/// A post with its text, but without its HTML; read-only.
struct PostText: StoredItem {
  static let collectionName = PostRecord.collectionName
  static let tableName = PostRecord.tableName

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var head = PostHead()
  var text = ""

  static let fields = Fields<Self> {
    PostHead.fields.of(\.head)
    Field("text", \.text)
  }
}
