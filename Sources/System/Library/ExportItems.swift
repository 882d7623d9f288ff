import Contract
import Exchange
import Kit
import Store
import Wire

/// The items of any collection for other programs: the members that clients see, as a table or line by line.
enum ExportItems: ExportMethod {
  static let name = "library/exportItems"
  static let summary =
    "Exports all items of a collection, as of one state of the library, in order of addition. They have the members "
    + "that clients see, without `display`, as a table or as JSON lines."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportItems")

  struct Params: ExportParams {
    var collection: String
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: TableFormat
    var spreadsheet: Bool?
    static let example = Params(
      collection: "highlights", path: "/home/ann/highlights.csv", inline: nil, overwrite: nil, format: .csv,
      spreadsheet: nil)
    static let fields = notes([
      "collection": "The collection.",
      "format":
        "`csv`: a table (RFC 4180) with a column for each possible member, lists and objects as JSON; `jsonl`: one "
        + "item per line.",
      "spreadsheet": GuardedCells.note("an import of the collection"),
    ])
    static let limits: [String: FieldLimits] = ["collection": .length(1...64), "path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var items: Int
    static let example = Result(path: "/home/ann/highlights.csv", data: nil, items: 12)
    static let fields = [
      "path": "The path of the file.", "data": "The file in base64.", "items": "The number of items.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var params: Params
    var collection: ItemCollection
    var caller: any Caller
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(params)
    try checkCollections([params.collection], field: "collection", in: snapshot.services)
    guard let collection = snapshot.services.library.collection(params.collection) else {
      throw RPCError.notFound(params.collection, id: "")
    }
    return Plan(params: params, collection: collection, caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let lines = try await services.library.read(as: plan.caller) { try ItemLines(of: plan.collection, in: $0) }
    let place = ExportPlace(params, services: services)
    let written = try await place.write(lines.spool, progress, after: params.format == .csv ? lines.head(params) : []) {
      params.format == .csv ? try lines.row(of: $0, params) : $0
    }
    return Result(path: written.path, data: written.data, items: written.count)
  }
}

/// The items of one state of the library, one JSON object per line.
private struct ItemLines {
  let spool: ExportSpool
  /// The members that an item may have.
  let columns: [String]

  init(of collection: ItemCollection, in snapshot: Snapshot) throws {
    let epoch = snapshot.services.library.identity.epoch
    if case .object(let shape) = collection.shape() {
      columns = shape.fields.map(\.name).filter { $0 != "display" } + ["epoch"]
    } else {
      columns = []
    }
    // The ids alone first: all items together may be more than the memory holds.
    let ids = try snapshot.db.texts("SELECT id FROM \(collection.table) ORDER BY createdAt, id")
    let payload = try collection.payloads(snapshot)
    spool = try ExportSpool(services: snapshot.services) { add in
      for id in ids {
        guard var item = try payload(id)?.objectValue else { continue }
        item["display"] = nil
        // The epoch of its revision, so that a later import can determine the changes since.
        item["epoch"] = .string(epoch)
        try add("", Array("\(JSONValue.object(item))\n".utf8))
      }
    }
  }

  func head(_ params: ExportItems.Params) -> [UInt8] {
    let isGuarded = params.spreadsheet == true
    return Array(DelimitedText.line(columns + (isGuarded ? [GuardedCells.column] : [])).utf8)
  }

  func row(of line: [UInt8], _ params: ExportItems.Params) throws -> [UInt8] {
    let item = try JSONParser.parse(line)
    let cells = columns.map { column in
      switch item[column] ?? .null {
      case .null: ""
      case .string(let text): text
      case let value: value.description
      }
    }
    let line = params.spreadsheet == true ? GuardedCells.line(cells, of: columns) : DelimitedText.line(cells)
    return Array(line.utf8)
  }
}
