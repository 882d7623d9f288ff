import Contract
import Display
import Store
import Wire

/// The result of a method that was called with `ids`.
struct ManyItems<Item: Payload>: Payload {
  var items: [Item]
  var failed: [Failed]
  var rest: [String]?

  struct Failed: Payload {
    var id: String
    var failure: ItemProblem
    static var example: Failed { Failed(id: "0193", failure: .example) }
    static var fields: [String: String] {
      ["id": "The id as it was given.", "failure": "Why the method failed for it."]
    }
  }

  static var example: ManyItems { ManyItems(items: [Item.example], failed: [.example], rest: nil) }
  static var fields: [String: String] {
    [
      "items": "The method's results for single items, in the order of `ids`.",
      "failed": "The items for which the method failed, in the order of `ids`.",
      "rest": "The ids that were not processed because the reply or the commit was full; send them again.",
    ]
  }
}

extension ManyItems: NamedType {
  static var typeName: String { "Many" + Contract.typeName(Item.self) }
}

/// The results for the items of a request so far, as they go into the reply.
struct EachItem {
  private var items: [[UInt8]] = []
  private var failed: [ManyItems<Empty>.Failed] = []
  private var rest: [String] = []
  private var size = 0

  init() {}

  /// More rows are for several commits, so that other clients' writes get their turn.
  private static let mostRows = 10_000

  /// Calls the method for each item until the reply or the commit is full.
  ///
  /// - Parameters:
  ///   - left: further ids, for which the method is not called.
  ///   - call: the method's reply for one item.
  /// - Throws: what `call` throws, unless it is a failure of its item alone: of a kind that the method names, before
  ///   anything was written for the item. What was written for the others is rolled back with it.
  init<M: ManyItemsMethod>(
    _ method: M.Type, _ each: [(id: String, params: Result<M.Params, RPCError>)], in snapshot: Snapshot,
    _ call: (M.Params) throws -> [UInt8]
  ) throws {
    let isReversed = each.contains { (try? $0.params.get()).map(M.isReversed) ?? false }
    try self.init(method, each.map { ($0.id, $0.params) }, isReversed: isReversed, in: snapshot, call)
  }

  init<M: ManyItemsMethod, Given>(
    _ method: M.Type, _ each: [(id: String, given: Result<Given, RPCError>)], isReversed: Bool = false,
    left: [String] = [], in snapshot: Snapshot, _ call: (Given) throws -> [UInt8]
  ) throws {
    let rows = snapshot.db.totalChangesCount
    for item in isReversed ? each.reversed() : each {
      let isFull =
        size >= ListPart.size || items.count >= M.mostAtOnce
        || snapshot.db.totalChangesCount - rows >= Self.mostRows
      guard !isFull else {
        rest.append(item.id)
        continue
      }
      let before = snapshot.db.totalChangesCount
      do {
        add(try call(item.given.get()))
      } catch let error as RPCError where snapshot.db.totalChangesCount == before && Self.isOfItem(error, M.self) {
        add(error, of: item.id, in: snapshot)
      }
    }
    rest += left
    guard isReversed else { return }
    items.reverse()
    failed.reverse()
    rest.reverse()
  }

  /// The method's reply for the next item.
  mutating func add(_ json: [UInt8]) {
    items.append(json)
    size += json.count
  }

  /// The failure of the next item alone.
  mutating func add(_ error: RPCError, of id: String, in snapshot: Snapshot) {
    failed.append(ManyItems.Failed(id: id, failure: ItemProblem(error, in: snapshot)))
  }

  static func isOfItem<M: Method>(_ error: RPCError, _ method: M.Type) -> Bool {
    error.kind.map { M.errors.contains($0) } ?? (error.code == RPCError.Code.invalidParams)
  }

  func json() throws -> [UInt8] {
    var json = JSONWriter(reservingCapacity: size + 256)
    json.beginObject()
    json.member(Self.itemsKey)
    json.write(list: items) { $1.write(raw: $0) }
    json.member(Self.failedKey)
    try json.write(list: failed) { $1.write(raw: try $0.json()) }
    if !rest.isEmpty {
      json.member(Self.restKey)
      json.write(list: rest) { $1.write(string: $0) }
    }
    json.endObject()
    return json.bytes
  }

  private static let (itemsKey, failedKey, restKey) = (MemberKey("items"), MemberKey("failed"), MemberKey("rest"))
}

extension Route {
  /// A read of one item or of several.
  package init<M: ReadMethod & ManyItemsMethod>(_ method: M.Type) {
    self.init(
      method, kind: "read",
      // One is found by its key; a thousand are not for the event loop.
      body: .read(isQuick: { M.isQuick && $0["ids"] == nil }) { params in
        guard let each = try M.each(of: params, strict: true) else {
          let params = try M.Params.decode(from: params, strict: true)
          return { try M.run(params, in: $0).json() }
        }
        return { snapshot in
          try EachItem(M.self, each, in: snapshot) { try M.run($0, in: snapshot).json() }.json()
        }
      }, givesClock: M.givesClock, describe: Self.describeMany(M.self, kind: "read"))
  }

  /// A write of one item or of several, in one commit.
  package init<M: WriteMethod & ManyItemsMethod>(_ method: M.Type) {
    self.init(
      method, kind: "write",
      body: .write { params in
        guard let each = try M.each(of: params, strict: true) else {
          let params = try M.Params.decode(from: params, strict: true)
          return { try M.run(params, in: $0).json() }
        }
        return { transaction in
          try EachItem(M.self, each, in: transaction.snapshot) { try M.run($0, in: transaction).json() }.json()
        }
      }, describe: Self.describeMany(M.self, kind: "write"))
  }

  /// A read of one item or of several from outside the library: one request after the other, so that a server has no
  /// more of them at a time than of one item.
  package init<M: ExternalReadMethod & ManyItemsMethod>(_ method: M.Type) {
    self.init(
      method, kind: "external",
      body: .external(doing: M.doing) { params in
        guard let each = try M.each(of: params, strict: true) else {
          return Self.preparing(M.self, try M.Params.decode(from: params, strict: true)) { fetched, plan in
            .read { try M.finish(fetched, of: plan, in: $0).json() }
          }
        }
        return { snapshot in
          let planned = try each.map { item in
            (id: item.id, plan: try ofItem(M.self) { try PlannedItem<M>(item.params.get(), in: snapshot) })
          }
          return .asking { services, progress in
            let fetched = try await fetch(planned, with: services, progress: progress)
            let left = planned.dropFirst(fetched.count).map(\.id)
            return .read { snapshot in
              try EachItem(M.self, fetched, left: left, in: snapshot) { item in
                try M.finish(item.fetched, of: item.plan, in: snapshot).json()
              }.json()
            }
          }
        }
      }, describe: Self.describeMany(M.self, kind: "external"))
  }

  static func describeMany<M: ManyItemsMethod>(
    _ method: M.Type, kind: String
  ) -> @Sendable () -> MethodDescription {
    { MethodDescription(method, kind: kind).taking(manyItemsOf: method, result: ManyItems<M.Result>.shape) }
  }
}

/// The plan of the fetch for one of several items.
private struct PlannedItem<M: ExternalReadMethod>: Sendable {
  let plan: M.Plan
  /// Nil if it has to be fetched.
  let known: M.Fetched?

  init(_ params: M.Params, in snapshot: Snapshot) throws {
    plan = try M.prepare(params, in: snapshot)
    known = try M.known(plan, in: snapshot)
  }
}

/// The data that was fetched for it.
private struct FetchedItem<M: ExternalReadMethod>: Sendable {
  let plan: M.Plan
  let fetched: M.Fetched
}

/// The items up to the method's most; fewer than were planned if those are reached.
///
/// - Throws: what `M.fetch` throws, unless it is a failure of its item alone.
private func fetch<M: ExternalReadMethod & ManyItemsMethod>(
  _ planned: [(id: String, plan: Result<PlannedItem<M>, RPCError>)], with services: Services, progress: Progress
) async throws -> [(id: String, given: Result<FetchedItem<M>, RPCError>)] {
  var fetched: [(id: String, given: Result<FetchedItem<M>, RPCError>)] = []
  for item in planned.prefix(M.mostAtOnce) {
    switch item.plan {
    case .failure(let error): fetched.append((item.id, .failure(error)))
    case .success(let planned):
      do {
        let value =
          if let known = planned.known { known } else {
            try await M.fetch(planned.plan, with: services, progress: progress)
          }
        fetched.append((item.id, .success(FetchedItem(plan: planned.plan, fetched: value))))
      } catch let error as RPCError where EachItem.isOfItem(error, M.self) {
        fetched.append((item.id, .failure(error)))
      }
    }
  }
  return fetched
}

/// A failure of the item alone as a value.
///
/// - Throws: every other error.
private func ofItem<M: Method, Value>(_ method: M.Type, _ work: () throws -> Value) throws -> Result<Value, RPCError> {
  do {
    return .success(try work())
  } catch let error as RPCError where EachItem.isOfItem(error, M.self) {
    return .failure(error)
  }
}
