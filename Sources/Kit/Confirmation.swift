import Contract
import Display
import Store
import Wire

/// What a client shows before something is destroyed: the same for all collections.
package struct Confirmation: Payload {
  package var title: String
  package var message: String
  package var confirm: String
  package var cancel: String

  package static let example = Confirmation(
    title: "Really?", message: "Do you really want to delete it?", confirm: "Delete", cancel: "Cancel")
  package static let fields = [
    "title": "The question.", "message": "What would be destroyed.", "confirm": "The button that does it.",
    "cancel": "The button that does not.",
  ]

  /// Asks by this sentence whether something is to be deleted.
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

/// Stands for what a dry run found. It is made from the items themselves, so nothing is kept for it, and it is worth
/// nothing any more when one of them has changed or another has come.
package struct ConfirmToken: Equatable {
  package let text: String

  /// The token for all items of a table, as they are now.
  package static func everything<Item: StoredItem>(of type: Item.Type, in snapshot: Snapshot) throws -> ConfirmToken {
    let state = try snapshot.db.first("SELECT count(*), max(revision) FROM \(Item.tableName)") {
      "\($0.integer(0))/\($0.integer(1))"
    }
    let epoch = snapshot.services.library.identity.epoch
    return ConfirmToken(text: String(Blobs.hash(of: Array("\(epoch)/\(state ?? "")".utf8)).prefix(32)))
  }

  /// Refuses what a client gave for `confirm` unless it stands for the same.
  package func require(_ given: String?) throws(RPCError) {
    guard given == text else { throw .invalidParams(field: "confirm", reason: Text("param.confirm")) }
  }
}
