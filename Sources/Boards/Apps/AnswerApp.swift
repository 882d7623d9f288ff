import Contract
import Kit
import Store
import Wire

/// Answers one request of an app by the Google Reader API.
enum AnswerApp: AppMethod {
  static let name = "boards/answerApp"
  static let summary =
    "Answers one HTTP request of a feed reader that was added with `boards/addApp`, by the Google Reader API. "
    + "`commonplace web` calls it. A refused request has a `status` from 400."
  static let doing = Text("doing.answerApp")
  static let effects: Effects = [.reads, .writes, .destroys, .network]

  struct Params: Payload {
    var method: String
    var path: String
    var query: String?
    var body: String?
    var authorization: String?
    static let example = Params(
      method: "GET", path: "/reader/api/0/subscription/list", query: "output=json", body: nil,
      authorization: "GoogleLogin auth=8f14e45fceea167a5a36dedd4bea2543f3c9f0b5c0c3ab1f")
    static let fields = [
      "method": "`GET` or `POST`.", "path": "The path of the URL, as it was sent.",
      "query": "The query of the URL, as it was sent.", "body": "The form that was sent.",
      "authorization": "The header `Authorization`.",
    ]
    static let secrets: Set<String> = ["query", "body", "authorization"]
    static let limits: [String: FieldLimits] = [
      "method": .length(1...16), "path": .length(1...8_192), "query": .length(0...8_192),
      "body": .length(0...(1 << 20)), "authorization": .length(0...1_024),
    ]
  }

  typealias Request = AppRequest
  typealias Position = AppEdit.Position

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> AppPlan<AppRequest> {
    let request = AppRequest(
      method: params.method, path: params.path, query: params.query ?? "", form: params.body ?? "",
      authorization: params.authorization)
    let token = request?.call == .login ? request?.first("Passwd") : request?.token
    let app = try token.flatMap { try ReaderApp.find(token: $0, in: snapshot.db) }
    return AppPlan(request, of: app, in: snapshot)
  }

  /// What needs no posts.
  static func known(_ plan: AppPlan<AppRequest>, in snapshot: Snapshot) -> AppAnswer?? {
    guard let request = plan.request else { return .some(.unknown) }
    guard let app = plan.app else { return .some(.unauthorized) }
    if request.changes { return .some(request.isPost ? nil : .badMethod) }
    switch request.call {
    case .login:
      let token = request.first("Passwd") ?? ""
      return request.first("output") == "json"
        ? .some(.json(["SID": .string(token), "LSID": "none", "Auth": .string(token)]))
        : .some(.text("SID=\(token)\nLSID=none\nAuth=\(token)\n"))
    // The API asks for it before every change, against forged requests, which here would lack the header.
    case .token: return .some(.text(String(app.id.text.filter { $0 != "-" })))
    case .user:
      return .some(
        .json([
          "userId": .string(app.id.text), "userName": .string(app.title), "userProfileId": .string(app.id.text),
          "userEmail": "",
        ]))
    case .nothing: return .some(.json([:]))
    default: return nil
    }
  }

  static func fetch(
    _ plan: AppPlan<AppRequest>, with services: Services, progress: Progress
  ) async throws -> AppAnswer? {
    guard let request = plan.request else { return .unknown }
    return try await services.library.read(as: plan.caller) { snapshot in
      do {
        return try read(request, in: snapshot)
      } catch let error as RPCError where error.code == RPCError.Code.invalidParams {
        return .bad(snapshot.words(error.text))
      }
    }
  }

  private static func read(_ request: AppRequest, in snapshot: Snapshot) throws -> AppAnswer {
    let feeds = try AppFeeds(in: snapshot)
    let items = AppItems(feeds: feeds, snapshot: snapshot)
    switch request.call {
    case .subscriptions: return .json(feeds.subscriptions)
    case .tags: return .json(try feeds.tags(in: snapshot))
    case .unread: return .json(try feeds.unread(in: snapshot))
    case .ids:
      let query = try AppQuery(
        request, stream: request.first("s") ?? AppStream.state("reading-list"), most: AppQuery.mostIDs)
      let found = try query.found(feeds, in: snapshot.db)
      let references = found.prefix(query.limit).compactMap { post -> JSONValue? in
        guard let number = AppItemID(post: post.id) else { return nil }
        return [
          "id": .string(number.decimal), "directStreamIds": [],
          "timestampUsec": .string(String(post.arrivedAt * 1_000)),
        ]
      }
      var answer: JSONObject = ["itemRefs": .array(references)]
      if found.count > query.limit { answer["continuation"] = .string(found[query.limit - 1].cursor) }
      return .json(.object(answer))
    case .items:
      let posts = try request.all("i").prefix(AppQuery.mostItems).compactMap { try AppItemID($0)?.post(in: snapshot) }
      return .json(.object(stream(AppStream.state("reading-list"), try items.items(posts), at: snapshot)))
    case .contents(let id):
      let page = try page(of: id, request, items, in: snapshot)
      var answer = stream(id, page.items, at: snapshot)
      if let next = page.next { answer["continuation"] = .string(next) }
      return .json(.object(answer))
    case .atom(let id):
      let page = try page(of: id, request, items, in: snapshot)
      return AppAnswer(
        type: "application/atom+xml",
        body: AppAtom.feed(id, title: feeds.feed(id)?.title ?? id, page.items, at: snapshot.services.now()))
    default: return .unknown
    }
  }

  private static func page(
    of stream: String, _ request: AppRequest, _ items: AppItems, in snapshot: Snapshot
  ) throws -> (items: [JSONValue], next: String?) {
    let query = try AppQuery(
      request, stream: stream.isEmpty ? AppStream.state("reading-list") : stream, most: AppQuery.mostItems)
    let found = try query.found(items.feeds, in: snapshot.db)
    let page = try items.page(Array(found.prefix(query.limit)))
    let hasMore = page.last.map { $0.id != found.last?.id } ?? false
    return (page.items, hasMore ? page.last?.cursor : nil)
  }

  private static func stream(_ id: String, _ items: [JSONValue], at snapshot: Snapshot) -> JSONObject {
    [
      "id": .string(id), "updated": .integer(snapshot.services.now().milliseconds / 1_000), "items": .array(items),
    ]
  }

  static func finish(
    _ answer: AppAnswer?, of plan: AppPlan<AppRequest>, from position: AppEdit.Position?, in transaction: Transaction
  ) throws -> Sliced<AppEdit.Position, AppAnswer> {
    if position == nil { try plan.app?.note(in: transaction) }
    if let answer { return .done(answer) }
    guard let request = plan.request else { return .done(.unknown) }
    do {
      switch try AppEdit.run(request, from: position, in: transaction) {
      case .more(let position): return .more(position)
      case .done(let answer): return .done(answer)
      }
    } catch let error as RPCError {
      return .done(.bad(transaction.snapshot.words(error.text)))
    }
  }
}
