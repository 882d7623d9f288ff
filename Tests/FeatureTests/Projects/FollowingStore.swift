import Client
import TestSupport
import Wire

/// Keeps another library level with one, over the protocol alone, as a program does that carries boards to a store
/// elsewhere. Of the first it reads `changes/since`, `projects/columns`, `projects/list` and `projects/get`; in the
/// second it writes with `projects/columns`, `add`, `update`, `move` and `remove`.
///
/// All it has to remember over its own end is `epoch` and `clock`; the rest it can read again.
struct FollowingStore {
  private let second: Client
  /// How far it has come; from a clock of an epoch that nobody has it begins with everything.
  var epoch = "none"
  var clock: Int64 = 0
  /// The first library's cards as they were last seen.
  private var cards: [String: JSONValue] = [:]

  init(_ second: Client) { self.second = second }

  /// What a client can set of a card, besides its place and whom it waits for.
  private static let fields = ["title", "body", "deadline", "time", "tags", "priority"]

  /// Takes over what has changed since it last did. Tells whether it was answered `reset`.
  ///
  /// It looks at the cards when it has heard of all changes: of two that changed places half would be a circle. `limit` is
  /// how much it hears of at once.
  @discardableResult
  mutating func catchUp(with first: Client, limit: Int = 1_000) async throws -> Bool {
    var ids: Set<String> = []
    var isReset = false
    var hasMore = true
    while hasMore {
      let news = try await first.call(
        "changes/since",
        [
          "epoch": .string(epoch), "clock": .integer(clock), "collections": ["projects", "columns"],
          "limit": json(limit),
        ])
      ids.formUnion(news["changes"].list.filter { $0["collection"] == "projects" }.map { $0["id"].text })
      if news["reset"] != nil { isReset = true }
      hasMore = news["reset"] != nil || !news["changes"].list.isEmpty
      (epoch, clock) = (news["epoch"].text, news.clock)
    }
    if isReset { ids = Set(cards.keys).union(try await Self.ids(in: first)).union(try await Self.ids(in: second)) }
    for id in ids { cards[id] = try await Self.card(id, in: first) }
    try await level(ids, columns: try await first.call("projects/columns")["columns"].list)
    return isReset
  }

  /// Makes these cards in the second library what they are in the first.
  private func level(_ ids: Set<String>, columns: [JSONValue]) async throws {
    for id in ids where cards[id] == nil {
      if try await Self.card(id, in: second) != nil { try await write("projects/remove", ["id": .string(id)]) }
    }
    for id in ids { try await fill(id) }
    // A column can go only when its cards have, so those that are too many stay until then.
    try await arrange(columns, keepingOthers: true)
    for column in columns { try await place(ids, in: column["state"].text) }
    try await arrange(columns, keepingOthers: false)
    // Less first: of two that changed places none may wait for itself in between.
    for isWhole in [false, true] {
      for id in ids { try await link(id, isWhole: isWhole) }
    }
  }

  /// Adds a card, or sets what has changed. Its rule goes before it is moved: a recurring card that comes into a closed
  /// column brings its next one, and that comes from the first library.
  private func fill(_ id: String) async throws {
    guard let card = cards[id] else { return }
    var params: JSONObject = ["id": .string(id)]
    guard let there = try await Self.card(id, in: second) else {
      for field in Self.fields where card[field] != nil { params[field] = card[field] }
      // Without a word about it, it were due today.
      params["deadline"] = card["deadline"] ?? .null
      return try await write("projects/add", params)
    }
    for field in Self.fields where card[field] != there[field] { params[field] = card[field] ?? .null }
    let isMoved = card["state"] != there["state"]
    if there["recurrence"] != nil, isMoved || card["recurrence"] != there["recurrence"] { params["recurrence"] = .null }
    if params.count > 1 { try await write("projects/update", params) }
  }

  /// Puts the changed cards of a column behind those that they stand behind; the others have kept their order.
  private func place(_ ids: Set<String>, in state: String) async throws {
    var previous: String?
    for (id, _) in cards.filter({ $0.value["state"].text == state }).sorted(by: isBefore) {
      defer { previous = id }
      guard ids.contains(id) else { continue }
      var params: JSONObject = ["id": .string(id), "state": .string(state)]
      if let previous {
        params["after"] = .string(previous)
      } else {
        let there = try await second.call("projects/list", ["state": .string(state), "limit": 2]).items
        if let first = there.first(where: { $0["id"].text != id }) { params["before"] = first["id"] }
      }
      try await write("projects/move", params)
    }
  }

  /// `rank` says where a card stands, byte by byte, and of the same rank the id.
  private func isBefore(_ left: (key: String, value: JSONValue), _ right: (key: String, value: JSONValue)) -> Bool {
    let (lower, upper) = (Array(left.value["rank"].text.utf8), Array(right.value["rank"].text.utf8))
    if lower != upper { return lower.lexicographicallyPrecedes(upper) }
    return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
  }

  /// Whom it waits for is said also where it seems to be so: a card keeps the names of removed ones, and waits for them
  /// again when they come back.
  private func link(_ id: String, isWhole: Bool) async throws {
    guard let card = cards[id], let there = try await Self.card(id, in: second) else { return }
    var params: JSONObject = ["id": .string(id)]
    let wanted = card["blockedBy"].list
    params["blockedBy"] = .array(isWhole ? wanted : there["blockedBy"].list.filter(wanted.contains))
    if isWhole, card["recurrence"] != there["recurrence"] { params["recurrence"] = card["recurrence"] ?? .null }
    try await write("projects/update", params)
  }

  private func arrange(_ columns: [JSONValue], keepingOthers: Bool) async throws {
    let there = try await second.call("projects/columns")["columns"].list
    let others = there.filter { column in !columns.contains { $0["state"] == column["state"] } }
    let wanted = columns + (keepingOthers ? others : [])
    func shapes(_ columns: [JSONValue]) -> [JSONValue] {
      columns.map { column in
        // The usual three are called by the catalogue, in each reader's language.
        let isUsual = ["todo", "doing", "done"].contains(column["state"].text)
        return [
          "state": column["state"] ?? .null, "title": isUsual ? .null : column["title"] ?? .null,
          "isOpen": column["isOpen"] ?? .null,
        ]
      }
    }
    if shapes(wanted) != shapes(there) { try await write("projects/columns", ["columns": .array(shapes(wanted))]) }
  }

  private func write(_ method: String, _ params: JSONObject) async throws {
    _ = try await second.call(method, .object(params))
  }

  /// Nil where there is none.
  private static func card(_ id: String, in library: Client) async throws -> JSONValue? {
    do {
      return try await library.call("projects/get", ["id": .string(id)])
    } catch let error as RemoteError where error.kind == "notFound" {
      return nil
    }
  }

  private static func ids(in library: Client) async throws -> [String] {
    var ids: [String] = []
    var after: JSONValue?
    repeat {
      var params: JSONObject = ["limit": 2]
      params["after"] = after
      let page = try await library.call("projects/list", .object(params))
      ids += page.items.map { $0["id"].text }
      after = page["next"]
    } while after != nil
    return ids
  }

  /// All that a board shows, for comparison: the columns, and in each the cards in their order.
  static func picture(of library: Client) async throws -> [JSONValue] {
    let told =
      fields + ["id", "state", "recurrence", "blockedBy", "blocked", "overdue", "preview"]
    let columns = try await library.call("projects/board", ["limit": 1_000])["columns"].list
    var picture: [JSONValue] = []
    for column in columns {
      var members: JSONObject = [:]
      for key in ["state", "title", "isOpen", "count"] { members[key] = column[key] }
      picture.append(.object(members))
      for id in column["items"].list.map({ $0["id"].text }) {
        let card = try await card(id, in: library)
        members = [:]
        for key in told { members[key] = card?[key] }
        picture.append(.object(members))
      }
    }
    return picture
  }
}
