import Contract
import Foundation
import Markup
import Store
import Wire

enum SubscriptionFormat: String, Choice {
  case opml
}

enum ImportSources: ExternalLongWriteMethod {
  static let name = "boards/import"
  static let summary =
    "Takes subscriptions over from a file of another reader, in one step for `changes/undo`. Nobody is asked for it: the "
    + "sources are fetched in the background. What is there already does not come twice."
  static let since = 1
  static let effects: Effects = [.writes, .files]
  static let errors: [ErrorKind] = [.corrupt, .diskFull, .notAllowed, .notFound, .tooLarge]

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: SubscriptionFormat?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/subscriptions.opml", data: nil, format: .opml, dryRun: nil, confirm: nil)
    static let fields = [
      "path": "An absolute path of a file.", "data": "The file's bytes in base64, instead of a path.",
      "format": "`opml`, which is also the default.", "dryRun": "Only answer what would come.",
      "confirm": "What a dry run of the same file answered; wanted for more than 10,000 sources.",
    ]
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "data": FieldLimits(maximumLength: 16 << 20, form: .base64),
    ]
    static let exactlyOne = [["path", "data"]]
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

  /// Where a slice ended.
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
    let source = params.path ?? "data"
    do {
      let fetched = try await onThread { checkCancelled in
        let bytes =
          if let path = params.path {
            try GivenFile(opening: path, limit: fileLimit).bytes()
          } else {
            Array(Data(base64Encoded: params.data ?? "") ?? Data())
          }
        let (subscriptions, notes) = try Subscription.read(bytes, checkCancelled: checkCancelled)
        return Fetched(
          subscriptions: subscriptions, notes: notes,
          confirmation: LargeImport(bytes, format: SubscriptionFormat.opml.rawValue, epoch: plan.epoch))
      }
      try fetched.confirmation.require(params.confirm, count: fetched.subscriptions.count, isDryRun: params.dryRun)
      return fetched
    } catch {
      throw RPCError.reading(error, of: source, format: SubscriptionFormat.opml.rawValue)
    }
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, ImportReport> {
    var position = position ?? Position()
    let isDryRun = plan.params.dryRun == true
    while position.index < fetched.subscriptions.count {
      guard transaction.hasRoom else { return .more(position) }
      let subscription = fetched.subscriptions[position.index]
      position.index += 1
      if try SourceRecord.at(subscription.url, kind: subscription.kind, in: transaction.snapshot) != nil {
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
        position.counts, notes: fetched.notes, format: SubscriptionFormat.opml.rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader, services: services))
  }
}
