import Contract
import Exchange
import Kit
import Markup
import Store
import Wire

enum SubscriptionFormat: String, Choice {
  case opml
}

enum SubscriptionImportFormat: String, Choice {
  case opml, newsboat

  func read(
    _ bytes: [UInt8], checkCancelled: () throws -> Void
  ) throws -> (subscriptions: [Subscription], notes: [ImportNote]) {
    switch self {
    case .opml: try Subscription.read(bytes, checkCancelled: checkCancelled)
    case .newsboat: try NewsboatFile.read(bytes, checkCancelled: checkCancelled)
    }
  }
}

enum ImportSources: ExternalLongWriteMethod {
  static let name = "boards/import"
  static let summary =
    "Imports subscriptions from a file of another feed reader, in one undo step. Works offline: the sources are "
    + "fetched in the background. Importing again creates no duplicates."
  static let since = 1
  /// The new sources are fetched after the reply.
  static let effects: Effects = [.writes, .files, .network]
  static let doing = Text("doing.importSources")
  static let errors: [ErrorKind] = [.corrupt, .diskFull, .notAllowed, .notFound, .tooLarge]

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: SubscriptionImportFormat?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/subscriptions.opml", data: nil, format: .opml, dryRun: nil, confirm: nil)
    static let fields = GivenImport.notes(
      format: "`opml`, the default, or `newsboat`: its file `urls`.", items: "sources")
    static let limits = GivenImport.limits
    static let exactlyOne = GivenImport.exactlyOne
  }
  typealias Result = ImportReport

  struct Plan: Sendable {
    var params: Params
    var epoch: String
  }

  struct Fetched: Sendable {
    var subscriptions: [Subscription]
    var notes: [ImportNote]
    var confirmation: LargeImport
  }

  /// The end of the last slice.
  struct Position: Sendable {
    var index = 0
    var counts = ImportCounts()
  }

  static let fileLimit = 16 << 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(params: params, epoch: snapshot.services.library.identity.epoch)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let chosen = params.format ?? .opml
    let format = chosen.rawValue
    let given = GivenImport(path: params.path, data: params.data, limit: fileLimit, format: format)
    let fetched = try await given.read { bytes, checkCancelled in
      let (subscriptions, notes) = try chosen.read(bytes, checkCancelled: checkCancelled)
      return Fetched(
        subscriptions: subscriptions, notes: notes,
        confirmation: LargeImport(bytes, format: format, epoch: plan.epoch))
    }
    try fetched.confirmation.require(params.confirm, count: fetched.subscriptions.count, isDryRun: params.dryRun)
    return fetched
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, ImportReport> {
    var position = position ?? Position()
    let isDryRun = plan.params.dryRun == true
    let places = try SourceRecord.places(of: .feed, in: transaction.snapshot)
    while position.index < fetched.subscriptions.count {
      guard transaction.hasRoom else { return .more(position) }
      let subscription = fetched.subscriptions[position.index]
      position.index += 1
      let isThere =
        try SourceRecord.at(subscription.url, kind: subscription.kind, in: transaction.snapshot) != nil
        || subscription.kind == .feed && places.contains(subscription.url)
      if isThere {
        position.counts.known += 1
      } else {
        position.counts.added += 1
        if !isDryRun { try transaction.insert(subscription.record(id: transaction.services.newID())) }
      }
    }
    let services = transaction.services
    if !isDryRun { transaction.afterCommit { services.boardRefresher.wake(services) } }
    return .done(
      ImportReport(
        position.counts, notes: fetched.notes, format: (plan.params.format ?? .opml).rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader, services: services))
  }
}
