import Contract
import Exchange
import Kit
import Markup
import Store
import Wire

enum ExportSources: ExportMethod {
  static let name = "boards/export"
  static let summary =
    "Exports all sources, as of one state of the library, for another feed reader. Folders, pages and notes of an "
    + "imported file are written back. Limits of sources are attributes in a namespace of ours. Credentials are not "
    + "included."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportSources")

  struct Params: ExportParams {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: SubscriptionFormat?
    static let example = Params(path: "/home/ann/subscriptions.opml", inline: nil, overwrite: nil, format: .opml)
    static let fields = notes([
      "format": "`opml`, the default."
    ])
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var sources: Int
    static let example = Result(path: "/home/ann/subscriptions.opml", data: nil, sources: 12)
    static let fields = [
      "path": "The path of the file.", "data": "The file in base64.", "sources": "The number of sources.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  typealias Plan = ExportPlan<Params>

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let records = try await services.library.read(as: plan.caller) { try SourceRecord.all(in: $0) }
    let feeds = try records.flatMap { try Subscription.outlines(of: $0) }
    let written = try await ExportPlace(plan.params, services: services)
      .write(progress) {
        (Array(OPML.write(OutlineDocument(title: "Commonplace", feeds: feeds))), records.count)
      }
    return Result(path: written.path, data: written.data, sources: written.count)
  }
}
