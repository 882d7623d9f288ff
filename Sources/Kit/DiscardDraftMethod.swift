import Contract
import Store
import Wire

/// A method that discards the drafts of an item, the same for all features with drafts.
package protocol DiscardDraftMethod: WriteMethod
where Params == DiscardDraftParams, Result == DiscardedDraft {
  static var table: DraftTable { get }
}

extension DiscardDraftMethod {
  package static var effects: Effects { [.writes, .destroys] }
  package static var errors: [ErrorKind] { [.notFound] }

  /// - Throws: `RPCError` of the kind `notFound`, `DatabaseError`.
  package static func run(_ params: DiscardDraftParams, in transaction: Transaction) throws -> DiscardedDraft {
    guard try table.discard(params.id.text, of: params.connection, in: transaction) else {
      throw RPCError.notFound("drafts", id: params.id.text)
    }
    return DiscardedDraft(removed: params.id)
  }
}

package struct DiscardDraftParams: Payload {
  package var id: ItemID
  package var connection: String?
  package static let example = DiscardDraftParams(id: "0192", connection: "0193")
  package static let fields = [
    "id": "The item of the draft.",
    "connection": "Only the draft of this connection. Default: every draft of the item.",
  ]
  package static let limits: [String: FieldLimits] = ["connection": .length(1...64)]
}

package struct DiscardedDraft: Payload {
  package var removed: ItemID
  package static let example = DiscardedDraft(removed: "0192")
  package static let fields = ["removed": "The item whose draft was discarded."]
}
