import Contract
import Kit
import Store
import Wire

/// The unsaved version of the only item of a text, which clients that edit items find among their drafts.
struct ItemDraft {
  private let path: TextPath
  private let editing: any TextEditing
  private let drafts: DraftTable
  private let id: String

  /// - Returns: nil for a text of several items, and for one that the library does not have.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  init?(of path: TextPath, in snapshot: Snapshot) throws {
    guard let form = TextPlaces(snapshot).form(of: path), let editing = form.editing, let drafts = editing.drafts else {
      return nil
    }
    do {
      guard let items = try form.render(path, in: snapshot)?.items, items.count == 1 else { return nil }
      (self.path, self.editing, self.drafts, id) = (path, editing, drafts, items[0].id)
    } catch is RPCError {
      return nil
    }
  }

  /// Stores the draft of the text as one of the item. A text that the item cannot have leaves the earlier one.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func keep(_ text: StoredDraft, in transaction: Transaction) throws {
    let snapshot = transaction.snapshot
    guard let base = try TextBases.find(ofDraft: text, at: path, in: snapshot), !base.isReadOnly,
      let item = base.items.first, sameBytes(item.id, id)
    else { return }
    do {
      let parsed = try editing.parse(
        TextSave.normalized(text.content, since: base.text), of: path, since: base.items, in: snapshot)
      guard parsed.items.count == 1,
        let content = try editing.draftContent(of: parsed.items[0], since: item, in: transaction)
      else { return }
      let known = try drafts.find(id, of: text.connection, in: transaction.db)
      // The revision of the version that the client edited: others may have changed the item since.
      try drafts.keep(
        StoredDraft(of: id, content: content, known: known, revision: item.revision, in: transaction), in: transaction)
    } catch is RPCError {
      return
    }
  }

  /// - Throws: `DatabaseError`.
  func discard(of connection: String, in transaction: Transaction) throws {
    _ = try drafts.discard(id, of: connection, in: transaction)
  }
}
