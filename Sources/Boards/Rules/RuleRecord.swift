import Contract
import Kit
import Store
import Wire

/// A row of a rule for posts.
struct RuleRecord: QueryRule {
  static let collectionName = "postRules"
  static let tableName = "postRule"
  static let ruled = PostRecord.collectionName
  static let most = 200
  /// Unicode scalars.
  static let longestText = 10_000
  /// The most sources, and the most boards, that a rule names.
  static let mostPlaces = 1_000

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title: String?
  var text = ""
  /// With `boards`, the places whose posts it is for; without any of them, it is for all.
  var sources: [String] = []
  var boards: [String] = []
  var hides = false
  var reads = false
  var saves = false
  var tags: [String] = []

  static let fields = Fields<Self> {
    Field("title", \.title, .text(1...200, notBlank: true), "The title that the user gave it.")
      .settable("Its title; null for the query itself.")
    Field(
      "text", \.text, .text(1...longestText, notBlank: true), "The query that its posts match, as in `search/query`."
    )
    .settable(
      as: String.self,
      "The query, as in `search/query`, with the filters that posts have: words, `title:`, `tag:`, `from:`, `is:notice`, "
        + "`before:` and `after:`. A query that no post can match is refused, with its position.",
      limits: .length(1...longestText, notBlank: true), clearable: false
    ) { text, rule, snapshot in
      _ = try query(text, in: snapshot)
      rule.text = text
    }.required.query
    Field("sources", \.sources, "The sources whose posts it is for; with `boards` empty too, it is for all.")
      .shared(.references(SourceRecord.collectionName))
      .settable(as: [SourceID].self, limits: .length(0...mostPlaces)) { sources, rule, snapshot in
        for source in sources { _ = try snapshot.get(SourceRecord.self, id: source.text) }
        rule.sources = unique(sources.map(\.text))
      }
    Field("boards", \.boards, "The boards whose posts it is for, besides those of `sources`.")
      .shared(.set)
      .settable(as: [BoardID].self, limits: .length(0...mostPlaces)) { boards, rule, snapshot in
        for board in boards { _ = try snapshot.get(BoardRecord.self, id: board.text) }
        rule.boards = unique(boards.map(\.text))
      }
    Field("hides", as: "hide", \.hides, "Whether it hides the posts. A saved post is never hidden.")
      .settable(clearable: false)
    Field("reads", as: "read", \.reads, "Whether it marks them as read.").settable(clearable: false)
    Field("saves", as: "save", \.saves, "Whether it saves them.").settable(clearable: false)
    Field.tags("tags", \.tags, "The tags that it adds to them.")
  }

  private static func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }
}

extension RuleRecord {
  /// - Throws: `invalidParams` for a rule that does nothing.
  func requireAction() throws(RPCError) {
    guard actions.isEmpty else { return }
    throw .invalidParams(field: "hide", reason: Text("boards.ruleWithoutAction"))
  }

  /// Its actions on a post that matches.
  var actions: [RuleAction] {
    [(hides, RuleAction.hide), (reads, .read), (saves, .save), (!tags.isEmpty, .tag)].filter(\.0).map(\.1)
  }

  /// Its title for people.
  var shownTitle: String { title ?? text }
}
