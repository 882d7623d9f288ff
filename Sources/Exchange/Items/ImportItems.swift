import Contract
import Display
import FoundationEssentials
import Kit
import Store
import Wire

/// Imports items from a file such as `library/exportItems` writes, merged field by field with existing ones.
package enum ImportItems<Shown: SnapshotItem>: ImportMethod where Shown.Item: ExchangedItem {
  package typealias Item = Shown.Item

  package static var name: String { "\(Item.collectionName)/import" }
  package static var summary: String {
    "Imports items from a file in one undo step: all that can be read, or nothing. Importing a file again creates no "
      + "duplicates. A field changed both here and in the file keeps its value here; the file's version is listed by "
      + "`changes/conflicts`."
  }
  package static var effects: Effects { [.writes, .files] }
  package static var doing: Text { Text("doing.importItems") }

  package struct Params: Payload {
    var path: String?
    var data: String?
    var format: TableFormat?
    var dryRun: Bool?
    var confirm: String?
    package static var example: Params {
      Params(path: "/home/ann/items.csv", data: nil, format: .csv, dryRun: nil, confirm: nil)
    }
    package static var fields: [String: String] {
      GivenImport.notes(
        format: "`csv`: a table whose first row names fields; `jsonl`: one item per line. Default: detected from the "
          + "file.",
        items: "items")
    }
    package static var limits: [String: FieldLimits] { GivenImport.limits }
    package static var exactlyOne: [[String]] { GivenImport.exactlyOne }
  }
  package typealias Plan = ImportPlan<Params>

  package struct Fetched: Sendable {
    var file: ItemFile<Shown>
    var confirmation: LargeImport
  }

  package struct Position: Sendable {
    var items = ItemImport<Item>()
  }

  private static var fileLimit: Int { 64 << 20 }

  /// - Throws: `RPCError` for a file that cannot be read or has another format, and for a `confirm` that does not fit
  ///   it; `CancellationError`.
  package static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let given = GivenImport(
      path: params.path, data: params.data, limit: fileLimit, format: params.format?.rawValue ?? "")
    let fetched = try await given.read { bytes, checkCancelled in
      let format = params.format ?? TableFormat(of: bytes, path: params.path)
      return Fetched(
        file: try ItemFile(bytes, as: format, checkCancelled: checkCancelled),
        confirmation: LargeImport(bytes, format: format.rawValue, epoch: plan.epoch))
    }
    try fetched.confirmation.require(params.confirm, count: fetched.file.rows.count, isDryRun: params.dryRun)
    return fetched
  }

  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, ImportReport> {
    var position = position ?? Position()
    let (file, isDryRun) = (fetched.file, plan.params.dryRun == true)
    let path = plan.params.path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    try position.items.resume(in: transaction.snapshot)
    while position.items.index < file.rows.count {
      guard transaction.hasRoom else { return .more(position) }
      try position.items.take(file.rows[position.items.index], from: path, isDryRun: isDryRun, in: transaction)
      position.items.index += 1
    }
    return .done(
      ImportReport(
        position.items.counts, notes: file.notes, format: file.format.rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader, services: transaction.services))
  }
}
