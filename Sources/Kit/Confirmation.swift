import Contract
import Display
import Store
import Wire

/// The dialog that a client shows before something is deleted, the same for all collections.
package struct Confirmation: Payload {
  package var title: String
  package var message: String
  package var confirm: String
  package var cancel: String

  package static let example = Confirmation(
    title: "Really?", message: "Do you really want to delete it?", confirm: "Delete", cancel: "Cancel")
  package static let fields = [
    "title": "The question.", "message": "What would be destroyed.",
    "confirm": "The label of the button that confirms.",
    "cancel": "The label of the button that cancels.",
  ]

  /// A dialog with this sentence as its question.
  package static func deleting(_ message: Text, for reader: Reader, services: Services) -> Confirmation {
    func words(_ text: Text) -> String { services.catalogue.string(for: text, language: reader.language) }
    return Confirmation(
      title: words(Text("confirm.title")), message: words(message), confirm: words(Text("confirm.delete")),
      cancel: words(Text("confirm.cancel")))
  }

  private init(title: String, message: String, confirm: String, cancel: String) {
    self.title = title
    self.message = message
    self.confirm = confirm
    self.cancel = cancel
  }
}

/// Identifies the result of a dry run. It is computed from the items themselves, so nothing is stored for it, and it
/// becomes invalid when an item has changed or was added.
package struct ConfirmToken: Equatable {
  package let text: String

  /// The token for the current state of all items of a table.
  ///
  /// - Throws: `DatabaseError`.
  package static func everything<Item: StoredItem>(of type: Item.Type, in snapshot: Snapshot) throws -> ConfirmToken {
    let state = try snapshot.db.first("SELECT count(*), max(revision) FROM \(Item.tableName)") {
      "\($0.integer(0))/\($0.integer(1))"
    }
    let epoch = snapshot.services.library.identity.epoch
    return ConfirmToken(text: String(Blobs.hash(of: Array("\(epoch)/\(state ?? "")".utf8)).prefix(32)))
  }

  /// Requires that a client's `confirm` is this token.
  ///
  /// - Throws: `RPCError.invalidParams` of `confirm`.
  package func require(_ given: String?) throws(RPCError) {
    guard given == text else { throw .invalidParams(field: "confirm", reason: Text("param.confirm")) }
  }
}
