import Contract
import Kit
import Store
import Wire

enum AddToy: WriteMethod {
  static let name = "toys/add"
  static let summary = "Adds a toy."
  static let effects: Effects = .writes

  struct Params: Payload {
    var title: String
    var body: String?
    var id: ItemID?
    static let example = Params(title: "A top", body: nil, id: nil)
    static let fields = ["title": "Its name.", "body": "What it does.", "id": "An id of the client's own."]
    static let limits: [String: FieldLimits] = ["title": FieldLimits(notBlank: true)]
  }
  typealias Result = Toy

  static func run(_ params: Params, in transaction: Transaction) throws -> Toy {
    let id = params.id?.text ?? transaction.services.newID()
    // The same add again, after a lost reply: the item that is there.
    if let known = try transaction.snapshot.find(ToyRecord.self, id: id) { return Toy(known) }
    if params.title == "plain" { throw RPCError(.notAllowed, text: Text("toys.tooPlain", ["title": params.title])) }
    return Toy(try transaction.insert(ToyRecord(id: id, title: params.title, body: params.body ?? "")))
  }
}

enum UpdateToy: WriteMethod {
  static let name = "toys/update"
  static let summary = "Changes a toy."
  static let effects: Effects = .writes

  struct Params: Payload {
    var id: ItemID
    var title: String?
    var body: Patch<String>
    var ifRevision: Int64?
    static let example = Params(id: "0192", title: "A better top", body: .absent, ifRevision: 3)
    static let fields = [
      "id": "The toy.", "title": "Its new name.", "body": "What it does now.",
      "ifRevision": "Refuse if the toy has changed since this revision.",
    ]
  }
  typealias Result = Toy

  static func run(_ params: Params, in transaction: Transaction) throws -> Toy {
    let record = try transaction.snapshot.get(ToyRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let changed = try transaction.change(record) { record in
      if let title = params.title { record.title = title }
      switch params.body {
      case .absent: break
      case .null: record.body = ""
      case .value(let body): record.body = body
      }
    }
    return Toy(changed)
  }
}

enum RemoveToy: WriteMethod {
  static let name = "toys/remove"
  static let summary = "Removes a toy."
  static let effects: Effects = [.writes, .destroys]

  struct Params: Payload {
    var id: ItemID
    static let example = Params(id: "0192")
    static let fields = ["id": "The toy."]
  }
  struct Result: Payload {
    var removed: ItemID
    static let example = Result(removed: "0192")
    static let fields = ["removed": "The toy that was."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let toy = try transaction.snapshot.get(ToyRecord.self, id: params.id.text)
    let parts = try ToyPartRecord.all(in: transaction.db, "WHERE toy = ? ORDER BY id", [.text(toy.id)])
    for part in parts { try transaction.remove(part) }
    try transaction.remove(toy)
    return Result(removed: params.id)
  }
}
