import Contract
import Kit
import Store
import Wire

/// A rule for posts in replies.
typealias Rule = ItemJSON<ShownRule>

/// A rule for posts as one client sees it.
struct ShownRule: SnapshotItem {
  static let name = "Rule"

  let item: RuleRecord
  private let snapshot: Snapshot

  init(_ rule: RuleRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (rule, snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "failure",
      "Why it does nothing, or nothing for some of its sources and boards: its query is invalid, or they were removed. "
        + "Absent otherwise.", example: nil
    ) { try $0.failure },
    DerivedMember("display", of: "Rule.Display", "Strings for people.") {
      DerivedMember("title", "The title, or the query.", example: "No sports") { $0.item.shownTitle }
      DerivedMember("places", "The titles of its sources and boards, or that it is for all.", example: "Notices") {
        try $0.places
      }
      DerivedMember("actions", "What it does with a post that matches.", example: "hide, tag sports") { $0.actions }
    },
  ]

  private var failure: String? {
    get throws {
      do {
        _ = try RuleRecord.query(item.text, in: snapshot)
      } catch let error as RPCError {
        return snapshot.words(error.text)
      }
      let titles = try titles
      if !titles.contains(where: { $0 == nil }) { return nil }
      return snapshot.words(Text(titles.allSatisfy { $0 == nil } ? "boards.rulePlacesGone" : "boards.rulePlaceGone"))
    }
  }

  /// The titles of its sources and boards; nil for one that was removed.
  private var titles: [String?] {
    get throws {
      try item.sources.map { try snapshot.find(SourceRecord.self, id: $0)?.shownTitle }
        + item.boards.map { try snapshot.find(BoardRecord.self, id: $0).map { BoardView.title(of: $0, in: snapshot) } }
    }
  }

  private var places: String {
    get throws {
      let titles = try titles
      if titles.isEmpty { return snapshot.words(Text("boards.ruleForAll")) }
      return titles.map { $0 ?? snapshot.words(Text("boards.ruleGone")) }.joined(separator: ", ")
    }
  }

  private var actions: String {
    item.actions.map { action in
      action == .tag
        ? snapshot.words(Text("boards.ruleAction.tag", ["tags": item.tags.joined(separator: ", ")]))
        : snapshot.words(Text("boards.ruleAction.\(action.rawValue)"))
    }.joined(separator: ", ")
  }

  static let example: RuleRecord = {
    var rule = RuleRecord()
    (rule.id, rule.revision) = ("0195", 44)
    rule.createdAt = Instant(milliseconds: 1_795_225_445_678)
    rule.updatedAt = rule.createdAt
    (rule.title, rule.text) = ("No sports", "football OR baseball")
    (rule.boards, rule.hides, rule.tags) = (["0192"], true, ["sports"])
    return rule
  }()
}
