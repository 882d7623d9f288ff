import Contract
import Kit
import Store
import Wire

/// An item with a text that shows files.
package protocol FileShowing: ShownItem {
  /// The text.
  static var showing: any WritableKeyPath<Item, String> & Sendable { get }
  /// The item after a write.
  ///
  /// - Throws: `DatabaseError`, `StoreError.broken`.
  static func changed(_ item: Item, in transaction: Transaction) throws -> ItemJSON<Self>
}

/// Stores a file and shows it in the text of an item, in one undo step. The same method for every collection whose
/// items have one text that shows files.
package enum AttachFile<Shown: FileShowing>: ExternalWriteMethod {
  package typealias Item = Shown.Item
  package static var name: String { "\(Item.collectionName)/attach" }
  package static var summary: String {
    "Stores a photo or another file and shows it in the text, on a line of its own, in one undo step."
  }
  package static var effects: Effects { [.writes, .files] }
  package static var doing: Text { Text("doing.addFile") }
  package static var errors: [ErrorKind] { GivenBytes.errors + [.conflict] }

  package struct Params: Payload {
    package var id: ItemID
    package var path: String?
    package var data: String?
    package var name: String?
    package var after: String?
    package var ifRevision: Int64?
    package static var example: Params {
      Params(id: "0192", path: "/home/ann/walk.jpg", data: nil, name: nil, after: nil, ifRevision: nil)
    }
    package static var fields: [String: String] {
      GivenBytes.fields.merging([
        "id": "The item with the text.",
        "after": "Words that occur in exactly one line of the text: the file is shown below it. Default: at the end.",
        "ifRevision": "Fails with `conflict` if the item has another revision.",
      ]) { $1 }
    }
    package static var limits: [String: FieldLimits] {
      GivenBytes.limits.merging(["after": .length(1...1_000, notBlank: true)]) { $1 }
    }
    package static var exactlyOne: [[String]] { GivenBytes.exactlyOne }
  }
  package typealias Result = ItemJSON<Shown>

  package struct Plan: Sendable {
    fileprivate var params: Params
  }

  /// - Throws: `RPCError` of the kinds `notFound` and `conflict`, `StoreError.broken`, `DatabaseError`.
  package static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    // Before the copy, not after it.
    let item = try snapshot.get(Item.self, id: params.id.text)
    _ = try text(of: item, showing: "", params)
    return Plan(params: params)
  }

  /// - Throws: as `GivenBytes.stored`.
  package static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> StoredBytes {
    let params = plan.params
    return try await GivenBytes(path: params.path, data: params.data, name: params.name).stored(with: services)
  }

  /// - Throws: `RPCError` of the kinds `notFound` and `conflict`, `invalidParams` of `after` and for a text that becomes
  ///   too long; `StoreError.broken`, `DatabaseError`.
  package static func finish(_ stored: StoredBytes, of plan: Plan, in transaction: Transaction) throws -> Result {
    let item = try transaction.snapshot.get(Item.self, id: plan.params.id.text)
    try transaction.require(item, at: plan.params.ifRevision)
    let file = try stored.record(in: transaction).file
    let text = try text(of: item, showing: file.markdown, plan.params)
    return try Shown.changed(transaction.change(item) { $0[keyPath: Shown.showing] = text }, in: transaction)
  }

  private static func text(of item: Item, showing embed: String, _ params: Params) throws(RPCError) -> String {
    let text = item[keyPath: Shown.showing]
    guard let after = params.after else { return try TitledText(text).appending(embed) }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let places = lines.indices.filter { lines[$0].contains(after) }
    guard let place = places.first else {
      throw .invalidParams(field: "after", reason: Text("files.noLine"))
    }
    guard places.count == 1 else { throw .invalidParams(field: "after", reason: Text("files.severalLines")) }
    let end = lines[place].endIndex
    let whole = try TitledText(String(text[..<end])).appending(embed) + text[end...]
    try TitledText(whole).requireLength(of: "text")
    return whole
  }
}

/// An item that is one text shows files in it.
extension FileShowing where Self: SnapshotItem, Item: WrittenItem {
  package static var showing: any WritableKeyPath<Item, String> & Sendable { \.text }

  /// - Throws: what its `init(_:in:)` throws.
  package static func changed(_ item: Item, in transaction: Transaction) throws -> ItemJSON<Self> {
    try ItemJSON(Self(item, in: transaction.snapshot))
  }
}
