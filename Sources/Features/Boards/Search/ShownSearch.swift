import Contract
import Store
import Wire

/// What was found, for one client.
struct ShownSearch {
  private let plan: SearchPosts.Plan
  private let snapshot: Snapshot
  private let view: PostView
  private let matches: PostMatches
  private var params: SearchPosts.Params { plan.params }

  init(_ plan: SearchPosts.Plan, in snapshot: Snapshot) throws {
    self.plan = plan
    self.snapshot = snapshot
    let board = try plan.params.board.flatMap { try snapshot.find(BoardRecord.self, id: $0.text) }
    view = try PostView(plan.params.style, of: board, in: snapshot)
    matches = PostMatches(plan.params.query, plan.params.target ?? .all, for: snapshot.reader.positionEncoding)
  }

  /// Before anything was asked.
  var prompt: RemotePage<Post> {
    RemotePage(
      items: [], offset: 0, limit: params.limit ?? 30, total: 0, totalIsEstimate: false, next: nil,
      generation: plan.generation, state: .prompt, hint: snapshot.words(Text("boards.prompt")), freshness: .cached,
      fetchedAt: nil, failure: nil)
  }

  /// A page of the source.
  func answer(_ page: PageReport, session: Int) throws -> RemotePage<Post> {
    let (posts, offset) = snapshot.services.boardSearches.unseen(page.posts, of: session)
    let items = try posts.compactMap(post)
    let isOver = offset == 0 && items.isEmpty && page.next == nil
    return RemotePage(
      items: items, offset: offset, limit: params.limit ?? 30, total: page.total ?? offset + items.count,
      totalIsEstimate: page.next != nil || page.total != nil,
      next: page.next.map { SearchCursor.source(session, $0).text }, generation: plan.generation,
      state: isOver ? .noResults : .results, hint: isOver ? snapshot.words(Text("boards.noResults")) : nil,
      freshness: .live, fetchedAt: snapshot.services.now(), failure: nil)
  }

  /// What is here.
  func kept(isOffline: Bool, failure: RPCError?) throws -> RemotePage<Post> {
    let limit = params.limit ?? 30
    var place: LocalPostSearch.Place?
    if case .kept(let known) = plan.cursor { place = known }
    let search = try LocalPostSearch(params.query, params.target ?? .all, board: params.board?.text)
    let found = try search.find(behind: place, offset: params.offset ?? 0, limit: limit + 1, in: snapshot)
    let shown = found.posts.prefix(limit)
    if shown.isEmpty, let failure { throw failure }
    let problem = failure.map { RemoteProblem($0, for: snapshot.reader, services: snapshot.services) }
    let isEmpty = found.total == 0
    return RemotePage(
      items: try shown.map(\.post).compactMap(post), offset: try place.map { try before($0, search) } ?? params.offset ?? 0,
      limit: limit, total: found.total, totalIsEstimate: found.totalIsEstimate,
      next: found.posts.count > limit ? shown.last.map { SearchCursor.kept($0).text } : nil,
      generation: plan.generation, state: problem != nil ? .error : isEmpty ? .noResults : .results,
      hint: isOffline
        ? snapshot.words(Text("boards.offline")) : isEmpty ? snapshot.words(Text("boards.noResults")) : nil,
      freshness: .cached, fetchedAt: nil, failure: problem)
  }

  /// How many hits come before what follows a place; 0 where there are too many to be counted.
  private func before(_ place: LocalPostSearch.Place, _ search: LocalPostSearch) throws -> Int {
    let all = try search.find(behind: nil, offset: 0, limit: 2_000, in: snapshot)
    guard !all.totalIsEstimate else { return 0 }
    return all.posts.count { ($0.at, $0.post) >= (place.at, place.post) }
  }

  private func post(_ id: String) throws -> Post? {
    guard let record = try snapshot.find(PostRecord.self, id: id) else { return nil }
    var post = try view.post(PostSummary(record), .summary)
    post.matches = matches.matches(in: post, text: record.text)
    return post
  }
}
