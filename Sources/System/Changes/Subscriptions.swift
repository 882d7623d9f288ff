import Contract
import Kit
import Store
import Wire

enum Subscribe: ControlMethod {
  static let name = "changes/subscribe"
  static let summary = "Subscribes this connection to these changes, from now on; replaces its earlier subscription."
  static let effects: Effects = []

  struct Params: Payload {
    var collections: [String]?
    var ids: [ItemID]?
    static let example = Params(collections: ["documents", "highlights"], ids: nil)
    static let fields = ["collections": "Only these collections. Default: all.", "ids": "Only these items."]
    static let limits: [String: FieldLimits] = ["ids": FieldLimits(maximumLength: 1_000)]
  }

  struct Result: Payload {
    var since: Int64
    static let example = Result(since: 42)
    static let fields = ["since": "The clock from which the subscription holds: notifications begin after it."]
  }

  static func run(_ params: Params, in session: any Session) throws -> Result {
    try checkCollections(params.collections, field: "collections", in: session.services)
    let filter = ChangeFilter(
      collections: params.collections.map(Set.init), ids: params.ids.map { Set($0.map(\.text)) })
    let since = session.follow(filter)
    session.beginTelling()
    return Result(since: since)
  }
}

enum Unsubscribe: ControlMethod {
  static let name = "changes/unsubscribe"
  static let summary = "Ends this connection's subscription to changes."
  static let effects: Effects = []
  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Empty, in session: any Session) throws -> Empty {
    session.unfollow()
    return Empty()
  }
}
