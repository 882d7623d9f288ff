import Contract
import Kit
import Store
import Wire

/// A passage as clients see it.
struct ShownPassage: Payload {
  struct Display: Payload {
    var title: String
    var kind: String
    static let example = Display(title: "Dune", kind: "Books")
    static let fields = ["title": "The title, or its placeholder.", "kind": "The collection's label."]
  }

  var collection: String
  var id: ItemID
  var title: String
  var page: Int?
  var text: String
  var cut: Bool?
  var note: String?
  var seenAt: Instant?
  var link: String
  var display: Display

  static let example = ShownPassage(
    collection: "books", id: "0192", title: "Dune", page: nil, text: "You remember the sea.", cut: nil, note: nil,
    seenAt: nil, link: "commonplace:/books/0192", display: .example)
  static let fields = [
    "collection": "The item's collection.", "id": "The item.",
    "title": "The item's title; for a highlight or memo its document's. Empty if it has none.",
    "page": "The page of a highlight or memo, from 0.", "text": "The passage.",
    "cut": "True if `text` is only the beginning.", "note": "The user's note on the passage.",
    "seenAt": "When it was last shown by this method; absent for the first time.", "link": "Its stable link.",
    "display": "Strings for people.",
  ]
}

/// Shows passages by chance. Which were shown is remembered on this device, and is part of no collection.
enum ShowRandom: ExternalReadMethod {
  static let name = "search/random"
  static let summary =
    "Passages by chance: quotes, highlights, memos and notes. Of those that are drawn, the ones that were not shown before "
    + "come first, then those that were not shown for the longest time."
  static let effects: Effects = [.reads, .writes]

  struct Params: Payload {
    var collections: [String]?
    var limit: Int?
    var remember: Bool?
    static let example = Params(collections: ["highlights", "books"], limit: 1, remember: nil)
    static let fields = [
      "collections": "Only passages of these collections. Default: all that have any.",
      "limit": "Maximum number. Default 1.",
      "remember": "Whether the passages count as shown. Default: yes.",
    ]
    static let limits: [String: FieldLimits] = ["collections": .length(1...32), "limit": .range(1...50)]
  }

  struct Result: Payload {
    var items: [ShownPassage]
    static let example = Result(items: [.example])
    static let fields = ["items": "The passages; none if the library has none."]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let names = sources(params, in: snapshot).all
    for (index, name) in (params.collections ?? []).enumerated() where !names.contains(name) {
      throw RPCError.invalidParams(
        field: "collections[\(index)]",
        reason: Text("param.choice", ["found": name, "choices": names.joined(separator: ", ")]))
    }
    return Plan(params: params, caller: snapshot.caller)
  }

  private static func sources(
    _ params: Params, in snapshot: Snapshot
  ) -> (chosen: [SearchSource], all: [String]) {
    let all = snapshot.services.library.searchSources.filter { $0.passages != nil }
    return (
      all.filter { params.collections?.contains($0.collection) ?? true }, all.map(\.collection)
    )
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> [ChosenPassage] {
    let chosen = try await services.library.read(as: plan.caller) { snapshot in
      try ChosenPassage.some(
        plan.params.limit ?? 1, of: sources(plan.params, in: snapshot).chosen, in: snapshot)
    }
    if plan.params.remember != false, !chosen.isEmpty {
      try await services.library.write(as: FeatureCaller.daemon(services), label: name) { transaction in
        try PassageMemory.note(chosen.map(\.key), in: transaction)
      }
    }
    return chosen
  }

  static func finish(_ chosen: [ChosenPassage], of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(items: try chosen.compactMap { try $0.shown(in: snapshot) })
  }
}

/// A passage that chance has chosen.
struct ChosenPassage: Sendable {
  var collection: String
  var label: Text
  var item: String
  var passage: Passage
  /// Nil if it was never shown.
  var seenAt: Int64?

  /// The same for the same words of the same item.
  var key: String {
    String(Blobs.hash(of: Array("\(collection)/\(item)\n\(passage.text)\n\(passage.note ?? "")".utf8)).prefix(32))
  }

  /// The items of a collection that are drawn at a time, and how often, until so many passages were not shown before.
  private static let (items, draws) = (24, 4)
  /// The most passages of an item, chosen by chance, and of a collection: each is looked up in the memory.
  static let (mostOfItem, mostOfSource) = (200, 2_000)

  /// - Throws: `DatabaseError`.
  static func some(_ limit: Int, of sources: [SearchSource], in snapshot: Snapshot) throws -> [ChosenPassage] {
    var candidates: [ChosenPassage] = []
    for source in sources {
      guard let passages = source.passages else { continue }
      let first = candidates.count
      // Once all was shown, further draws find hardly anything new.
      var (drawn, unseen, seenDraws): (Set<String>, Int, Int) = ([], 0, 0)
      for _ in 0..<draws where unseen < limit && seenDraws < 2 {
        let (itemsBefore, unseenBefore) = (drawn.count, unseen)
        for item in try passages.draw(max(items, limit), in: snapshot.db) where drawn.insert(item).inserted {
          if candidates.count - first >= mostOfSource { break }
          for passage in try passages.passages(item, snapshot).shuffled().prefix(mostOfItem) {
            var chosen = ChosenPassage(
              collection: source.collection, label: source.label, item: item, passage: passage)
            chosen.seenAt = try PassageMemory.seenAt(chosen.key, in: snapshot)
            if chosen.seenAt == nil { unseen += 1 }
            candidates.append(chosen)
          }
        }
        if drawn.count == itemsBefore || candidates.count - first >= mostOfSource { break }
        if unseen == unseenBefore { seenDraws += 1 }
      }
    }
    // Shuffled first, since the order of equal ones stays.
    return Array(candidates.shuffled().sorted { $0.seenAt ?? .min < $1.seenAt ?? .min }.prefix(limit))
  }

  /// Nil if the item was deleted meanwhile.
  func shown(in snapshot: Snapshot) throws -> ShownPassage? {
    guard let item = try snapshot.services.library.links(of: collection)?.linking.shown(self.item, snapshot) else {
      return nil
    }
    return ShownPassage(
      collection: collection, id: ItemID(unchecked: self.item), title: item.title, page: item.page, text: passage.text,
      cut: passage.isCut ? true : nil, note: passage.note, seenAt: seenAt.map { Instant(milliseconds: $0) },
      link: item.link,
      display: .init(
        title: item.title.isEmpty ? snapshot.words(Text("day.noTitle")) : item.title, kind: snapshot.words(label)))
  }
}

/// When passages were shown by chance: a row for each, without its words.
enum PassageMemory {
  /// The passages shown longest ago are forgotten.
  static let most = 20_000

  static func seenAt(_ key: String, in snapshot: Snapshot) throws -> Int64? {
    try snapshot.db.first("SELECT at FROM passageSeen WHERE key = ?", [.text(key)]) { $0.integer(0) }
  }

  static func note(_ keys: [String], in transaction: Transaction) throws {
    transaction.keepSilent()
    for key in keys {
      try transaction.db.run(
        "INSERT OR REPLACE INTO passageSeen VALUES (?, ?)", [.text(key), .integer(transaction.now.milliseconds)])
    }
    try transaction.db.run(
      "DELETE FROM passageSeen WHERE key IN (SELECT key FROM passageSeen ORDER BY at DESC LIMIT -1 OFFSET ?)",
      [.integer(most)])
  }
}
