import Contract
import Store

/// A method that removes all items of a collection after a dry run. Implementations differ only in the items and the
/// question.
package protocol RemoveEverythingMethod: LongWriteMethod
where Params == RemoveEverythingParams, Result == RemovedEverything, Position == RemovedEverything.Position {
  associatedtype Item: StoredItem
  /// The catalogue's key of the question, with a placeholder for `count`.
  static var question: String { get }
}

extension RemoveEverythingMethod {
  package static var effects: Effects { [.writes, .destroys] }

  /// - Throws: `RPCError.invalidParams` of `confirm` if an item has changed since the dry run, `DatabaseError`.
  package static func run(
    _ params: RemoveEverythingParams, from position: RemovedEverything.Position?, in transaction: Transaction
  ) throws -> Sliced<RemovedEverything.Position, RemovedEverything> {
    if params.dryRun == true {
      return .done(try RemovedEverything(dryRunOf: Item.self, question: question, in: transaction.snapshot))
    }
    return try RemovedEverything.slice(of: Item.self, confirm: params.confirm, from: position, in: transaction)
  }
}

package struct RemoveEverythingParams: Payload {
  package var dryRun: Bool?
  package var confirm: String?
  package static let example = RemoveEverythingParams(dryRun: true, confirm: nil)
  package static let fields = [
    "dryRun": "Only report what would be removed.",
    "confirm": "The `confirm` of a dry run. It is refused if an item has changed since.",
  ]
  package static let limits: [String: FieldLimits] = ["confirm": .length(1...64)]
  package static let atMostOne = [["dryRun", "confirm"]]
}
