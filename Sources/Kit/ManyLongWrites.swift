import Contract
import Store
import Wire

extension Route {
  /// A long write of one item or of several: one after the other, in the slices of one long write and one undo step.
  package init<M: LongWriteMethod & ManyItemsMethod>(_ method: M.Type) {
    self.init(
      method, kind: "write",
      body: .longWrite { params in
        guard let each = try M.each(of: params, strict: true) else {
          let params = try M.Params.decode(from: params, strict: true)
          return { try slice(M.run(params, from: $0 as? M.Position, in: $1)) }
        }
        return { try ($0 as? EachLongItem<M> ?? EachLongItem()).slice(of: each, in: $1) }
      }, describe: Self.describeMany(M.self, kind: "write"))
  }
}

/// The position of a long write of several items.
private struct EachLongItem<M: LongWriteMethod & ManyItemsMethod>: Sendable {
  private var results = EachItem()
  private var next = 0
  /// The position within the next item; nil before its first slice.
  private var position: M.Position?

  /// - Throws: what the method throws, unless it is a failure of its item alone: of a kind that the method names, before
  ///   anything was written for the item.
  consuming func slice(
    of each: [(id: String, params: Result<M.Params, RPCError>)], in transaction: Transaction
  ) throws -> Slice {
    while next < each.count {
      let db = transaction.db
      let rows = db.totalChangesCount
      do {
        switch try M.run(each[next].params.get(), from: position, in: transaction) {
        case .more(let position):
          self.position = position
          return .more(self)
        case .done(let result): results.add(try result.json())
        }
      } catch let error as RPCError
        where position == nil && db.totalChangesCount == rows && EachItem.isOfItem(error, M.self)
      {
        results.add(error, of: each[next].id, in: transaction.snapshot)
      }
      (next, position) = (next + 1, nil)
      if next < each.count, !transaction.hasRoom { return .more(self) }
    }
    return .done(try results.json())
  }
}
