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
  case opml, newsboat, starred

  /// In bytes.
  var fileLimit: Int { self == .starred ? StarredFile.limit : 16 << 20 }
}

enum ImportSources: ImportMethod {
  static let name = "boards/import"
  static let summary =
    "Imports subscriptions, or starred posts, from a file of another feed reader, in one undo step. Works offline: the "
    + "sources are fetched in the background. A starred post that a source has is saved; others become kept pages. "
    + "Importing again creates no duplicates."
  /// The new sources are fetched after the reply.
  static let effects: Effects = [.writes, .files, .network]
  static let doing = Text("doing.importSources")

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: SubscriptionImportFormat?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/subscriptions.opml", data: nil, format: .opml, dryRun: nil, confirm: nil)
    static let fields = GivenImport.notes(
      format:
        "`opml`; `newsboat`: its file `urls`; or `starred`: the starred posts of FreshRSS, of miniflux (its "
        + "`/v1/entries?starred=true`) and of others, as JSON. Default: `starred` for JSON, else `opml`.",
      items: "entries")
    static let limits = GivenImport.limits
    static let exactlyOne = GivenImport.exactlyOne
  }
  typealias Plan = ImportPlan<Params>

  struct Fetched: Sendable {
    var format: SubscriptionImportFormat
    var subscriptions: [Subscription] = []
    var stars: [StarredPost] = []
    var notes: [ImportNote]
    var confirmation: LargeImport
  }

  /// The end of the last slice.
  struct Position: Sendable {
    var index = 0
    var star = 0
    var counts = ImportCounts()
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let given = GivenImport(
      path: params.path, data: params.data, limit: params.format?.fileLimit ?? StarredFile.limit,
      format: (params.format ?? .opml).rawValue)
    let fetched = try await given.read { bytes, checkCancelled in
      try read(bytes, as: params.format, epoch: plan.epoch, checkCancelled: checkCancelled)
    }
    let count = fetched.subscriptions.count + fetched.stars.count
    try fetched.confirmation.require(params.confirm, count: count, isDryRun: params.dryRun)
    return fetched
  }

  private static func read(
    _ bytes: [UInt8], as named: SubscriptionImportFormat?, epoch: String, checkCancelled: () throws -> Void
  ) throws -> Fetched {
    let format = named ?? (StarredFile.isIts(bytes) ? .starred : .opml)
    guard bytes.count <= format.fileLimit else { throw GivenFile.tooLarge(format.fileLimit) }
    var fetched = Fetched(
      format: format, notes: [], confirmation: LargeImport(bytes, format: format.rawValue, epoch: epoch))
    switch format {
    case .opml:
      (fetched.subscriptions, fetched.notes) = try Subscription.read(bytes, checkCancelled: checkCancelled)
    case .newsboat:
      (fetched.subscriptions, fetched.notes) = try NewsboatFile.read(bytes, checkCancelled: checkCancelled)
    case .starred: (fetched.stars, fetched.notes) = try StarredFile.read(bytes, checkCancelled: checkCancelled)
    }
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
    while position.star < fetched.stars.count {
      guard transaction.hasRoom else { return .more(position) }
      try fetched.stars[position.star].take(into: &position.counts, isDryRun: isDryRun, in: transaction)
      position.star += 1
    }
    if !isDryRun { transaction.wakeRefresher() }
    return .done(
      ImportReport(
        position.counts, notes: fetched.notes, format: fetched.format.rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader, services: transaction.services))
  }
}
