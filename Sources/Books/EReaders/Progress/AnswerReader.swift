import Contract
import Kit
import Store
import Wire

/// Answers one request of KOReader by its own protocol.
enum AnswerReader: AppMethod {
  static let name = "books/answerReader"
  static let summary =
    "Answers one HTTP request of KOReader, which shares how far a document is read, after its device was added with "
    + "`boards/addApp`. `commonplace web` calls it. The progress becomes that of the book on the shelf that KOReader's "
    + "metadata was imported into. A refused request has a `status` from 400."
  static let doing = Text("doing.answerReader")
  static let effects: Effects = [.reads, .writes]

  struct Params: Payload {
    var method: String
    var path: String
    var body: String?
    var key: String?
    static let example = Params(
      method: "GET", path: "/syncs/progress/0b229176d4e8db7f6d2b5a4952368d7a", body: nil,
      key: "8f14e45fceea167a5a36dedd4bea2543")
    static let fields = [
      "method": "`GET`, `POST` or `PUT`.", "path": "The path of the URL, as it was sent.",
      "body": "The JSON that was sent.", "key": "The header `X-Auth-Key`: the MD5 sum of the app's token.",
    ]
    static let secrets: Set<String> = ["body", "key"]
    static let limits: [String: FieldLimits] = [
      "method": .length(1...16), "path": .length(1...8_192), "body": .length(0...(64 << 10)), "key": .length(0...1_024),
    ]
  }

  typealias Request = ReaderRequest
  typealias Position = Never

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> AppPlan<ReaderRequest> {
    AppPlan(
      ReaderRequest(method: params.method, path: params.path, body: params.body ?? ""),
      of: try params.key.flatMap { try ReaderApp.find(sum: $0, in: snapshot.db) }, in: snapshot)
  }

  static func known(_ plan: AppPlan<ReaderRequest>, in snapshot: Snapshot) throws -> AppAnswer?? {
    guard let request = plan.request else { return .some(.unknown) }
    switch request.call {
    case .register: return .some(.notRegistered(snapshot.words(Text("books.readerNotRegistered"))))
    case .otherMethod: return .some(.otherMethod)
    case _ where plan.app == nil: return .some(.unauthorized)
    case .logIn: return .some(.json(["authorized": "OK"]))
    case .position(let document):
      return .some(.json(try ReaderPosition.json(of: document, in: snapshot.db)))
    case .update(nil): return .some(.badRequest)
    case .update: return .some(nil)
    }
  }

  /// Every answer is known without another resource.
  static func fetch(
    _ plan: AppPlan<ReaderRequest>, with services: Services, progress: Progress
  ) async throws -> AppAnswer? { nil }

  static func finish(
    _ answer: AppAnswer?, of plan: AppPlan<ReaderRequest>, from position: Never?, in transaction: Transaction
  ) throws -> Sliced<Never, AppAnswer> {
    try plan.app?.note(in: transaction)
    if let answer { return .done(answer) }
    guard case .update(let position?) = plan.request?.call, plan.app != nil else { return .done(.unauthorized) }
    try position.store(in: transaction)
    let seconds = transaction.now.milliseconds / 1_000
    return .done(.json(["document": .string(position.document), "timestamp": .integer(seconds)]))
  }
}
