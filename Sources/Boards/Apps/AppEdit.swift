import Contract
import HTTP
import Kit
import SearchEngine
import Store
import Wire

/// What an app changes.
enum AppEdit {
  /// The end of the last slice.
  struct Position: Sendable {
    /// Of the boards, and of the posts besides, of a stream that is marked as read.
    var reading = MarkRead.Position()
    var read = ""
    /// The number of posts that an app named and that are marked already.
    var marked = 0
    /// Of a source that is being removed.
    var removal: RemoveSource.Position?
  }

  /// - Throws: `RPCError` for what no app may ask; `StoreError` or `DatabaseError`.
  static func run(
    _ request: AppRequest, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, AppAnswer> {
    switch request.call {
    case .mark:
      return try mark(request, from: position ?? Position(), in: transaction)
    case .markAll: return try markAll(request, from: position ?? Position(), in: transaction)
    case .quickAdd:
      let url = request.first("quickadd") ?? ""
      let id = try subscribe(url, nil, nil, in: transaction)
      return .done(
        .json(["query": .string(url), "numResults": 1, "streamId": .string("feed/" + id), "streamName": .string(url)]))
    case .subscription: return try subscription(request, from: position ?? Position(), in: transaction)
    default: preconditionFailure("only these change something")
    }
  }

  // MARK: - Marks

  /// The most marks that one request sets, and the most that it removes.
  private static let mostMarks = 20

  /// Sets and removes marks of posts. A post that is not here any more is passed over: the app marked it offline.
  private static func mark(
    _ request: AppRequest, from position: Position, in transaction: Transaction
  ) throws -> Sliced<Position, AppAnswer> {
    let (added, removed) = (request.all("a").compactMap(AppStream.init), request.all("r").compactMap(AppStream.init))
    guard added.count <= mostMarks, removed.count <= mostMarks else {
      return .done(.bad("At most \(mostMarks) marks can be set or removed at once."))
    }
    for label in added.compactMap(\.label) { _ = try TagList.normalized(tag: label, field: "a") }
    let now = transaction.now
    let posts = request.all("i").prefix(AppQuery.mostIDs)
    var position = position
    for text in posts.dropFirst(position.marked) {
      guard transaction.hasRoom else { return .more(position) }
      position.marked += 1
      guard let post = try AppItemID(text)?.post(in: transaction.snapshot) else { continue }
      var refused: String?
      try PostMarks.set(post, in: transaction) { mark in
        for stream in added where !Self.set(stream, true, on: &mark, at: now) { refused = stream.label }
        for stream in removed { _ = Self.set(stream, false, on: &mark, at: now) }
      }
      if let refused { return .done(.bad("A post has at most \(TagList.most) tags; “\(refused)” is no other.")) }
    }
    return .done(.ok)
  }

  /// False for a tag that the post has no room for.
  private static func set(
    _ stream: AppStream, _ isSet: Bool, on mark: inout PostMarkRecord, at now: Instant
  ) -> Bool {
    switch stream {
    case .read: mark.readAt = isSet ? mark.readAt ?? now : nil
    // Apps that keep a post unread also send that it is not read.
    case .unread: if isSet { mark.readAt = nil }
    case .saved: mark.savedAt = isSet ? mark.savedAt ?? now : nil
    case .label(let label): return mark.setTag(label, isSet)
    case .all, .feed, .none: break
    }
    return true
  }

  /// Marks the posts of a stream as read that had arrived when the app said so, maybe long ago and offline.
  private static func markAll(
    _ request: AppRequest, from position: Position, in transaction: Transaction
  ) throws -> Sliced<Position, AppAnswer> {
    guard let stream = request.first("s").flatMap(AppStream.init) else {
      return .done(.bad("s is no stream."))
    }
    let upTo = try AppQuery.time(request.first("ts"), field: "ts").map { Instant(milliseconds: $0) }
    let boards = stream.boards(try AppFeeds(in: transaction.snapshot)).sorted()
    var position = position
    guard try MarkRead.mark(boards, true, upTo: upTo, from: &position.reading, in: transaction) else {
      return .more(position)
    }
    while transaction.hasRoom {
      let posts = try stream.unreadBesidesBoards(after: position.read, upTo: upTo, in: transaction.db)
      guard let last = posts.last else { return .done(.ok) }
      for post in posts { _ = try MarkRead.mark(post, true, in: transaction) }
      position.read = last
    }
    return .more(position)
  }

  // MARK: - Subscriptions

  private static func subscription(
    _ request: AppRequest, from position: Position, in transaction: Transaction
  ) throws -> Sliced<Position, AppAnswer> {
    let snapshot = transaction.snapshot
    let id = request.first("s") ?? ""
    let folder = request.all("a").compactMap(AppStream.init).compactMap(\.label).first
    switch request.first("ac") {
    case "subscribe":
      _ = try subscribe(String(id.dropFirst("feed/".count)), request.first("t"), folder, in: transaction)
      return .done(.ok)
    case "unsubscribe":
      guard let removal = try removal(of: id, from: position, in: snapshot) else {
        return .done(.bad("s is no feed that can be removed."))
      }
      switch try RemoveSource.run(
        RemoveSource.Params(id: SourceID(unchecked: removal.source), ifRevision: nil), from: removal.position,
        in: transaction)
      {
      case .more(let rest): return .more(Position(removal: rest))
      case .done: return .done(.ok)
      }
    case "edit":
      let feed = try AppFeeds(in: snapshot).feed(id)
      guard let feed, let source = try snapshot.find(SourceRecord.self, id: feed.source), source.kind == .feed else {
        return .done(.bad("Only feeds can be edited."))
      }
      if let folder, AppFeeds.folders(folder).isEmpty { return .done(.bad("A folder has a name.")) }
      let left = request.all("r").compactMap(AppStream.init).compactMap(\.label).map(foldedText)
      let leaves = feed.label.map { left.contains(foldedText($0)) } ?? false
      let title = FetchedPost.fitted(request.first("t"))
      let folders = try folder.map { try StoredJSON(AppFeeds.folders($0)).json }
      try transaction.change(source) { source in
        if let title { source.title = title }
        if let folders { source.folder = folders } else if leaves { source.folder = nil }
      }
      return .done(.ok)
    default: return .done(.bad("ac is subscribe, unsubscribe or edit."))
    }
  }

  /// The source to remove: only a feed, since a board of another source cannot be removed by itself. The source is gone
  /// after the first slice, so the id must do then.
  private static func removal(
    of id: String, from position: Position, in snapshot: Snapshot
  ) throws -> (source: String, position: RemoveSource.Position?)? {
    let source = String(id.dropFirst("feed/".count))
    if let removal = position.removal { return (source, removal) }
    guard let record = try snapshot.find(SourceRecord.self, id: source), record.kind == .feed else { return nil }
    return (record.id, nil)
  }

  /// Adds a feed, or returns the one that is there. It is fetched in the background, and until somebody confirms its
  /// URL here, not from a private network.
  private static func subscribe(
    _ text: String, _ title: String?, _ folder: String?, in transaction: Transaction
  ) throws -> String {
    let url = try SourceURL.checked(text, field: "quickadd")
    let known = try SourceRecord.asked(at: url, kind: .feed, credential: nil, in: transaction.snapshot)
    if let known { return known.id }
    let subscription = Subscription(
      kind: .feed, url: url, title: FetchedPost.fitted(title),
      outline: .init(type: nil, site: nil, note: nil, folders: [folder.map(AppFeeds.folders) ?? []]))
    let record = try transaction.insert(subscription.record(id: transaction.services.newID()))
    transaction.wakeRefresher()
    return record.id
  }
}

extension AppStream {
  fileprivate var label: String? { if case .label(let label) = self { label } else { nil } }
}

extension AppFeeds {
  /// The folders that a label names, outermost first.
  static func folders(_ label: String) -> [String] {
    label.split(separator: separator).prefix(32).compactMap { FetchedPost.fitted(String($0)) }
  }
}
