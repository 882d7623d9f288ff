import Kit
import Store
import Wire

/// What opens a document.
struct Password: Sendable {
  var text: String?
  /// False when a worker has yet to show that it is the right one: nothing that is kept is answered to a wrong one.
  var isProven: Bool
}

extension Snapshot {
  /// The password that a client gave, else the one that opened the document before.
  func password(for document: DocumentRecord, given: String?) -> Password {
    guard document.isProtected else { return Password(text: nil, isProven: true) }
    let known = services.documents.password(of: document.hash)
    guard let given else { return Password(text: known, isProven: true) }
    return Password(text: given, isProven: known.map { sameBytes($0, given) } ?? false)
  }
}

extension Services {
  /// A worker opened the document with this password: the next request needs none, and its text can be taken out.
  func unlock(_ document: DocumentRecord, with password: Password) {
    guard document.isProtected, !password.isProven, let text = password.text else { return }
    documents.unlock(document.hash, with: text)
    if document.keepsText { indexer.index(document.hash, with: self) }
  }
}
