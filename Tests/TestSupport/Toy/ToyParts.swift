import Contract
import Foundation
import Kit
import Store
import Wire

/// What belongs to a toy and goes with it.
package struct ToyPartRecord: StoredItem {
  package static let collectionName = "toyParts"
  package static let tableName = "toyPart"
  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  package var toy = ""
  package var name = ""

  package init() {}

  package static let fields = Fields<Self> {
    Field("toy", \.toy)
    Field("name", \.name)
  }
}

enum AddToyPart: WriteMethod {
  static let name = "toys/addPart"
  static let summary = "Adds a part to a toy."
  static let effects: Effects = .writes

  struct Params: Payload {
    var id: ItemID
    var name: String
    static let example = Params(id: "0192", name: "handle")
    static let fields = ["id": "The toy.", "name": "The part's name."]
  }
  struct Result: Payload {
    var part: ItemID
    static let example = Result(part: "0193")
    static let fields = ["part": "The part."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    _ = try transaction.snapshot.get(ToyRecord.self, id: params.id.text)
    var part = ToyPartRecord()
    (part.id, part.toy, part.name) = (transaction.services.newID(), params.id.text, params.name)
    try transaction.insert(part)
    return Result(part: ItemID(unchecked: part.id))
  }
}

/// Gives a toy a file: the bytes are on disk before the row is.
enum AttachFile: ExternalWriteMethod {
  static let name = "toys/attach"
  static let summary = "Gives a toy a file with this text."
  static let effects: Effects = [.writes, .files]

  struct Params: Payload {
    var id: ItemID
    var text: String
    static let example = Params(id: "0192", text: "bytes")
    static let fields = ["id": "The toy.", "text": "What is in the file."]
  }
  struct Result: Payload {
    var hash: String
    static let example = Result(hash: "00ff")
    static let fields = ["hash": "The file's name."]
  }
  typealias Plan = Params

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ plan: Params, with services: Services, progress: Kit.Progress) async throws -> Blobs.Blob {
    let path = services.folder.parts + "/" + services.newID()
    guard FileManager.default.createFile(atPath: path, contents: Data(plan.text.utf8)) else {
      throw FileFailure(path: path, errno)
    }
    return try services.blobs.adopt(file: path)
  }

  static func finish(_ blob: Blobs.Blob, of plan: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(ToyRecord.self, id: plan.id.text)
    try transaction.keep(blob)
    try transaction.change(record) { $0.file = blob.hash }
    return Result(hash: blob.hash)
  }
}

/// Many items in one commit, as an import makes them.
enum AddManyToys: WriteMethod {
  static let name = "toys/addMany"
  static let summary = "Adds many toys at once."
  static let effects: Effects = .writes

  struct Params: Payload {
    var count: Int
    static let example = Params(count: 3)
    static let fields = ["count": "How many."]
    static let limits: [String: FieldLimits] = ["count": FieldLimits(minimum: 0, maximum: 100_000)]
  }
  typealias Result = Count

  static func run(_ params: Params, in transaction: Transaction) throws -> Count {
    for number in 0..<params.count {
      try transaction.insert(ToyRecord(id: transaction.services.newID(), title: "toy \(number)", body: ""))
    }
    return Count(count: params.count)
  }
}

/// A position: told, but no revision and nothing to undo.
enum TurnToy: WriteMethod {
  static let name = "toys/turn"
  static let summary = "Turns a toy; not undoable."
  static let effects: Effects = .writes

  struct Params: Payload {
    var id: ItemID
    var angle: Int
    static let example = Params(id: "0192", angle: 90)
    static let fields = ["id": "The toy.", "angle": "Where it looks."]
  }
  typealias Result = Toy

  static func run(_ params: Params, in transaction: Transaction) throws -> Toy {
    let record = try transaction.snapshot.get(ToyRecord.self, id: params.id.text)
    try transaction.db.run("UPDATE toy SET angle = ? WHERE id = ?", [.integer(params.angle), .text(params.id.text)])
    transaction.touch(collection: "toys", id: record.id, revision: record.revision, fields: ["angle"])
    return Toy(record)
  }
}
