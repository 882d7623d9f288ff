import Contract
import Exchange
import Kit
import Markup
import Store
import Wire

enum ExportSources: ExternalReadMethod {
  static let name = "boards/export"
  static let summary =
    "Writes all sources, as one state of the library has them, for another reader. What came from such a file goes back "
    + "with its folders, pages and notes. Credentials are not named in it."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportSources")
  static let errors: [ErrorKind] = [.exists, .diskFull, .notAllowed, .notFound, .tooLarge]

  struct Params: Payload {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: SubscriptionFormat?
    static let example = Params(path: "/home/ann/subscriptions.opml", inline: nil, overwrite: nil, format: .opml)
    static let fields = [
      "path": "An absolute path at which there is nothing yet, or a file with `overwrite`.",
      "inline": "Answer the bytes as `data` instead.", "overwrite": ExportPlace.overwriteNote,
      "format": "`opml`, which is also the default.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
    static let exactlyOne = [["path", "inline"]]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var sources: Int
    static let example = Result(path: "/home/ann/subscriptions.opml", data: nil, sources: 12)
    static let fields = [
      "path": "Where they are.", "data": "What was written, in base64.", "sources": "How many there are.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
  }
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(path: params.path, inline: params.inline)
    return Plan(params: params, caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let records = try await services.library.read(as: plan.caller) { try SourceRecord.all(in: $0) }
    let feeds = try records.flatMap { try Subscription.outlines(of: $0) }
    let written = try await ExportPlace(path: plan.params.path, overwrite: plan.params.overwrite, services: services)
      .write(progress) {
        (Array(OPML.write(OutlineDocument(title: "Commonplace", feeds: feeds))), records.count)
      }
    return Result(path: written.path, data: written.data, sources: written.count)
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}
