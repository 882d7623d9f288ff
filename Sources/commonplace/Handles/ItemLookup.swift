import Client
import Contract
import Store
import Wire

/// Finds the items of the library that a handle may mean: by a part of an id, or by a title.
struct ItemLookup {
  let client: Client
  let voice: Voice

  var collections: [ItemCollection] { voice.collections }

  /// The collections in which a handle is looked up. What nobody has added, such as a past search, is meant only by the
  /// methods of its collection.
  private func searched(_ preferred: [String]) -> (first: [ItemCollection], rest: [ItemCollection]) {
    (
      collections.filter { preferred.contains($0.name) },
      collections.filter { !preferred.contains($0.name) && !$0.isSilent }
    )
  }

  /// How many items of a collection are listed to find a part of an id. Of a list with more, nobody knows whether the
  /// part means one item, so it means none.
  private static let mostListed = 100_000
  /// The most candidates that are offered to the user.
  static let mostCandidates = 20

  /// The params by which a method lists the items of all boards, archived ones too.
  private static let widening = ["allBoards", "archived"]

  /// The items that a handle may mean: the item with this id, else those of the daemon's own ids that begin or end with
  /// it, else those with this title, else those whose ids begin with it.
  ///
  /// - Parameter preferred: the collections with precedence if one of them has such an item.
  /// - Throws: the daemon's error, and `ClientError`.
  func candidates(for handle: Handle, in preferred: [String]) async throws -> [ListedItem] {
    if case .maybeID(let text) = handle {
      if let item = try await item(withID: text, in: preferred) { return [item] }
      let found = try await items(whoseIDsHave: text, in: preferred)
      if !found.isEmpty { return found }
    }
    guard let title = handle.title else { return [] }
    let called = try await items(called: title, in: preferred)
    guard called.isEmpty, case .maybeID(let text) = handle else { return called }
    return try await listed(in: preferred) { item, _ in ShortIDs.isBeginning(text, of: item.id) }
  }

  /// The item of exactly this id.
  func item(withID id: String, in preferred: [String]) async throws -> ListedItem? {
    guard TextForm.id.accepts(id) else { return nil }
    let (first, rest) = searched(preferred)
    let replies = (first + rest).map { collection in
      (
        collection.name,
        client.send(KnownMethod.item, ["collection": .string(collection.name), "id": .string(id), "listed": true])
      )
    }
    var found: ListedItem?
    for (name, reply) in replies {
      guard let value = try? await reply.value(), value["exists"] == true, found == nil else { continue }
      found = ListedItem(collection: name, id: id, title: value["display"]?["title"]?.stringValue ?? "")
    }
    return found
  }

  // MARK: - Lists

  private func items(whoseIDsHave text: String, in preferred: [String]) async throws -> [ListedItem] {
    guard ShortIDs.mayBePart(text) else { return [] }
    return try await listed(in: preferred) { item, _ in ShortIDs.matches(text, item.id) }
  }

  /// The items of all lists that match; of the preferred collections only, if one of those has one.
  private func listed(
    in preferred: [String], where matches: (ListedItem, JSONValue) -> Bool
  ) async throws -> [ListedItem] {
    func search(_ collections: [ItemCollection]) async throws -> [ListedItem] {
      // All first pages are requested at once.
      let begun = collections.flatMap { collection in
        ListMethods.methods(of: collection).map { begin(method: $0, of: collection.name) }
      }
      var found: [ListedItem] = []
      for list in begun {
        for item in try await items(of: list, where: matches) where !found.contains(item) { found.append(item) }
      }
      return found
    }
    let (first, rest) = searched(preferred)
    let found = try await search(first)
    return found.isEmpty ? try await search(rest) : found
  }

  /// A list whose first page was requested.
  private struct BegunList {
    var collection: String
    var method: MethodDescription
    var params: JSONObject
    var page: PendingReply
  }

  private func begin(method: MethodDescription, of collection: String) -> BegunList {
    var params = ListPaging.first(JSONObject(), of: method)
    for name in Self.widening where method.params.field(at: [name])?.shape == .boolean { params[name] = true }
    return BegunList(
      collection: collection, method: method, params: params, page: client.send(method.name, .object(params)))
  }

  private func items(
    of list: BegunList, where matches: (ListedItem, JSONValue) -> Bool
  ) async throws -> [ListedItem] {
    var list = list
    var found: [ListedItem] = []
    var count = 0
    while true {
      let reply = try await list.page.value()
      let items = reply["items"]?.arrayValue ?? []
      count += items.count
      for value in items where found.count < Self.mostCandidates {
        if let item = ListedItem(value, collection: list.collection), matches(item, value) { found.append(item) }
      }
      guard let next = ListPaging.next(list.params, after: reply, of: list.method) else { return found }
      guard count < Self.mostListed else { return [] }
      list.params = next
      list.page = client.send(list.method.name, .object(next))
    }
  }

  // MARK: - Titles

  /// The items that a link with this title leads to, else those that the index or a list has by it, of the preferred
  /// collections first. What is a link itself, `[[A title]]`, is followed if no item has that title.
  private func items(called title: String, in preferred: [String]) async throws -> [ListedItem] {
    var others: [ListedItem] = []
    let isLink = title.hasPrefix(Handle.linkScheme)
    for find in isLink ? [itemsByLink] : [itemsByTitle, itemsByIndex, itemsByList, itemsByLink] {
      let found = try await find(title, preferred)
      let wanted = found.filter { item in preferred.isEmpty || item.collection.map(preferred.contains) == true }
      if !wanted.isEmpty { return wanted }
      if others.isEmpty { others = found }
    }
    return others
  }

  private func itemsByTitle(_ title: String, _ preferred: [String]) async throws -> [ListedItem] {
    try await itemsByLink(WrittenTitle.link(to: title), preferred)
  }

  private func itemsByLink(_ link: String, _ preferred: [String]) async throws -> [ListedItem] {
    guard link.hasPrefix(Handle.linkScheme) || link.hasPrefix("[[") else { return [] }
    do {
      let reply = try await client.call(KnownMethod.resolveLink, ["link": .string(link)])
      let found = (reply["candidates"]?.arrayValue ?? []).compactMap { ListedItem($0, collection: nil) }
      return found.isEmpty ? [reply["item"].flatMap { ListedItem($0, collection: nil) }].compactMap(\.self) : found
    } catch is RemoteError {
      return []
    }
  }

  /// Items without links, such as posts.
  private func itemsByIndex(_ title: String, _ preferred: [String]) async throws -> [ListedItem] {
    let words = title.filter { !["\"", "“", "”"].contains($0) }
    do {
      let reply = try await client.call(
        KnownMethod.search, ["text": .string("title:\"\(words)\""), "group": "item", "limit": 100, "remember": false])
      return (reply["items"]?.arrayValue ?? []).compactMap { ListedItem($0, collection: nil) }
        .filter { Self.isSame($0.title, title) }
    } catch is RemoteError {
      return []
    }
  }

  /// Items whose titles have all words of a handle that is no title, for a user who remembers a part of one.
  func similar(to handle: Handle, in preferred: [String]) async -> [ListedItem] {
    let words = (handle.title ?? "").split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty, words.count <= 8 else { return [] }
    let text = words.map { "title:\"\($0)\"" }.joined(separator: " ")
    let reply = try? await client.call(
      KnownMethod.search,
      ["text": .string(text), "group": "item", "limit": .integer(Int64(Self.mostSimilar)), "remember": false])
    let found = (reply?["items"]?.arrayValue ?? []).compactMap { ListedItem($0, collection: nil) }
    let wanted = found.filter { item in preferred.isEmpty || item.collection.map(preferred.contains) == true }
    return wanted
  }

  private static let mostSimilar = 5

  /// Items without texts, such as sources, and documents by the name of their file.
  private func itemsByList(_ title: String, _ preferred: [String]) async throws -> [ListedItem] {
    try await listed(in: preferred) { item, value in
      Self.isSame(item.title, title)
        || (value["origins"]?.arrayValue ?? []).contains { Self.isFile($0.stringValue ?? "", called: title) }
    }
  }

  private static func isSame(_ title: String, _ other: String) -> Bool {
    sameBytes(title.lowercased(), other.lowercased())
  }

  /// Whether the last component of a path or a URL is the name, with or without its ending.
  private static func isFile(_ path: String, called name: String) -> Bool {
    guard let file = path.split(separator: "/").last else { return false }
    return isSame(String(file), name) || file.lastIndex(of: ".").map { isSame(String(file[..<$0]), name) } == true
  }
}
