import Contract
import Kit
import Store
import Wire

enum GetToy: ReadMethod {
  static let name = "toys/get"
  static let summary = "One toy."
  static let effects: Effects = .reads
  static let isQuick = true

  struct Params: Payload {
    var id: ItemID
    static let example = Params(id: "0192")
    static let fields = ["id": "The toy."]
  }
  typealias Result = Toy

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Toy {
    Toy(try snapshot.get(ToyRecord.self, id: params.id.text))
  }
}

enum ListToys: ReadMethod {
  static let name = "toys/list"
  static let summary = "All toys, in the order added."
  static let effects: Effects = .reads
  typealias Params = Empty
  typealias Result = Page<Toy>

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Page<Toy> {
    let toys = try ToyRecord.all(in: snapshot.db, "ORDER BY id").map(Toy.init)
    return Page(items: toys, offset: 0, limit: max(1, toys.count), total: toys.count, next: nil)
  }
}
