import Contract
import Kit
import SearchEngine
import Store
import Wire

/// Runs the rules on posts, inside one write: on a new post in the commit that inserts it, and on stored posts when a
/// client applies them again.
///
/// All rules that match run, in their order. A rule only adds: it unhides, unmarks and untags nothing.
final class PostRules {
  /// The places whose posts a rule is for.
  private struct Places {
    var sources: Set<String>
    var boards: Set<String>

    init(of rule: RuleRecord) { (sources, boards) = (Set(rule.sources), Set(rule.boards)) }

    func has(anyOf places: [PostPlace]) -> Bool {
      sources.isEmpty && boards.isEmpty
        || places.contains { sources.contains($0.source) || boards.contains($0.board) }
    }
  }

  /// The actions of a rule on a post.
  struct Match {
    var rule: RuleRecord
    /// Without what the post had before; empty if it stays as it is.
    var actions: [RuleAction]
  }

  private let transaction: Transaction
  /// The one rule to run; nil for all.
  private let only: String?
  /// Loaded when they are first needed: most fetches bring nothing new.
  private var loaded: (rules: QueryRules<RuleRecord>, places: [Places])?

  /// - Parameter only: the one rule to run; nil for all.
  init(only: String? = nil, in transaction: Transaction) {
    (self.only, self.transaction) = (only, transaction)
  }

  /// Runs the rules on a new post. Returns whether it is hidden.
  ///
  /// - Throws: `DatabaseError`.
  func run(on post: PostRecord) throws -> Bool {
    guard try !rules().places.isEmpty else { return false }
    let entry = PostSearchEntry.entry(PostRecord.collectionName, post.id, post.head, text: post.text)
    _ = try run(on: entry, at: post.head.placements.value())
    return try transaction.snapshot.find(PostMarkRecord.self, id: post.id)?.isHidden ?? false
  }

  /// Runs the rules on a post, given as its search entry.
  ///
  /// - Parameter isDryRun: whether nothing is written.
  /// - Returns: the rules that match, with what each of them does.
  /// - Throws: `DatabaseError`.
  func run(on post: SearchEntry, at places: [PostPlace], isDryRun: Bool = false) throws -> [Match] {
    let (rules, rulePlaces) = try rules()
    let matching = try rules.matching(post, in: transaction.snapshot) { rulePlaces[$0].has(anyOf: places) }
      .map { rules.rules[$0] }
    if matching.isEmpty { return [] }
    var mark = PostMarkRecord()
    mark.id = post.item
    mark = try transaction.snapshot.find(PostMarkRecord.self, id: post.item) ?? mark
    var traces = try mark.rules.value()
    let matches = matching.map { rule in
      let actions = mark.take(rule, at: transaction.now)
      if !actions.isEmpty { Self.note(actions, of: rule, in: &traces) }
      return Match(rule: rule, actions: actions)
    }
    guard !isDryRun, matches.contains(where: { !$0.actions.isEmpty }) else { return matches }
    mark.rules = try StoredJSON(traces)
    try PostMarks.set(post.item, in: transaction) { stored in
      (stored.readAt, stored.savedAt, stored.hiddenAt) = (mark.readAt, mark.savedAt, mark.hiddenAt)
      (stored.tags, stored.rules) = (mark.tags, mark.rules)
    }
    return matches
  }

  /// A rule has one trace on a post.
  private static func note(_ actions: [RuleAction], of rule: RuleRecord, in traces: inout [RuleTrace]) {
    let id = RuleID(unchecked: rule.id)
    guard let known = traces.firstIndex(where: { $0.rule == id }) else {
      traces.append(RuleTrace(rule: id, title: rule.shownTitle, actions: actions))
      // Rules are added and removed over the years.
      traces = traces.suffix(RuleRecord.most)
      return
    }
    traces[known].title = rule.shownTitle
    traces[known].actions += actions.filter { !traces[known].actions.contains($0) }
  }

  private func rules() throws -> (rules: QueryRules<RuleRecord>, places: [Places]) {
    if let loaded { return loaded }
    let rules = try QueryRules<RuleRecord>(only: only, in: transaction.snapshot)
    let all = (rules, rules.rules.map(Places.init))
    loaded = all
    return all
  }
}

extension PostMarkRecord {
  /// Does what a rule states. Returns what was not so before.
  fileprivate mutating func take(_ rule: RuleRecord, at now: Instant) -> [RuleAction] {
    var actions: [RuleAction] = []
    if rule.saves, savedAt == nil {
      savedAt = now
      actions.append(.save)
    }
    if rule.hides, hiddenAt == nil, savedAt == nil {
      hiddenAt = now
      actions.append(.hide)
    }
    if rule.reads, readAt == nil {
      readAt = now
      actions.append(.read)
    }
    var known = Set(tags.map(foldedText))
    let new = rule.tags.filter { known.insert(foldedText($0)).inserted }.prefix(max(TagList.most - tags.count, 0))
    if !new.isEmpty {
      tags += new
      actions.append(.tag)
    }
    return actions
  }
}
