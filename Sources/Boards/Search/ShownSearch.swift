import Contract
import Kit
import Store
import Wire

/// The results of a search, for one client.
struct ShownSearch {
  private let plan: SearchPosts.Plan
  private let snapshot: Snapshot
  private let board: BoardRecord?
  private let view: PostView
  private let matches: PostMatches
  private var params: SearchPosts.Params { plan.params }

  init(_ plan: SearchPosts.Plan, in snapshot: Snapshot) throws {
    self.plan = plan
    self.snapshot = snapshot
    board = try plan.params.board.flatMap { try snapshot.find(BoardRecord.self, id: $0.text) }
    view = try PostView(plan.params.style, of: board, in: snapshot)
    matches = PostMatches(plan.params.query, plan.params.target ?? .all, for: snapshot.reader.positionEncoding)
  }

  /// The reply to an empty query.
  var prompt: RemotePage<Post> {
    RemotePage(
      items: [], offset: 0, limit: plan.limit, total: 0, totalIsEstimate: false, next: nil,
      generation: plan.generation, state: .prompt, hint: snapshot.words(Text("boards.prompt")), freshness: .cached,
      fetchedAt: nil, failure: nil)
  }

  /// A part of the source's results.
  func answer(_ part: SearchPosts.Part) throws -> RemotePage<Post> {
    let items = try part.posts.compactMap(post)
    let isOver = part.offset == 0 && items.isEmpty && part.next == nil
    return RemotePage(
      items: items, offset: part.offset, limit: plan.limit, total: part.total ?? part.offset + items.count,
      totalIsEstimate: part.next != nil || part.total != nil,
      next: part.next.map { SearchCursor.source($0).text }, generation: plan.generation,
      state: isOver ? .noResults : .results,
      hint: isOver ? snapshot.words(Text("boards.noResults")) : part.notice.map(snapshot.words),
      freshness: .live, fetchedAt: snapshot.services.now(), failure: nil)
  }

  /// The stored results.
  func stored(_ fetched: SearchPosts.Fetched) throws -> RemotePage<Post> {
    let limit = plan.limit
    let found = fetched.found
    let shown = found.posts.prefix(limit)
    if shown.isEmpty, let failure = fetched.failure { throw failure.naming(try source) }
    let problem = try problem(fetched)
    let isEmpty = found.total == 0
    return RemotePage(
      items: try shown.map(\.post).compactMap(post), offset: found.before, limit: limit, total: found.total,
      totalIsEstimate: found.totalIsEstimate,
      next: found.posts.count > limit ? shown.last.map { SearchCursor.stored($0).text } : nil,
      generation: plan.generation, state: problem != nil ? .error : isEmpty ? .noResults : .results,
      hint: try hint(fetched, isEmpty: isEmpty).map { snapshot.words($0) },
      freshness: .cached, fetchedAt: nil, failure: problem)
  }

  /// Why the source was not searched, though it should be: it failed now, or was given up before.
  private func problem(_ fetched: SearchPosts.Fetched) throws -> RemoteProblem? {
    let source = try source
    if let failure = fetched.failure { return RemoteProblem(failure, of: source, board, in: snapshot) }
    guard let source, source.isStopped, params.kept != true, !snapshot.services.hidesFailure(of: source) else {
      return nil
    }
    return try StoredProblem.shown(source.failure, of: source, board, in: snapshot)
  }

  /// The source of the searched board.
  private var source: SourceRecord? {
    get throws { try board.flatMap { try snapshot.find(SourceRecord.self, id: $0.source) } }
  }

  private func hint(_ fetched: SearchPosts.Fetched, isEmpty: Bool) throws -> Text? {
    let isHidden = try params.kept != true && snapshot.services.hidesFailure(of: source)
    if fetched.isOffline || isHidden {
      return Text(isEmpty && board?.fetchedAt == nil ? "boards.offlineNothing" : "boards.offline")
    }
    return fetched.refusal ?? (isEmpty ? Text("boards.noResults") : nil)
  }

  /// With the content of the board's source; without a board, with the content that matched.
  private func post(_ id: String) throws -> Post? {
    guard let record = try snapshot.find(PostRecord.self, id: id) else { return nil }
    return try PostView.listed(shown(record))
  }

  private func shown(_ record: PostRecord) throws -> ShownPost {
    guard board == nil else { return try shown(record.described(by: board?.source, in: snapshot), from: board?.source) }
    let first = try shown(record, from: nil)
    guard first.matches?.isEmpty ?? true else { return first }
    for account in try PostAccount.all(of: record.id, in: snapshot) {
      var described = record
      described.takeContent(of: account)
      let other = try shown(described, from: account.source)
      if other.matches?.isEmpty == false { return other }
    }
    return first
  }

  private func shown(_ record: PostRecord, from source: String?) throws -> ShownPost {
    var post = try view.shown(PostSummary(record), from: source)
    post.matches = matches.matches(in: post, text: record.text)
    return post
  }
}
