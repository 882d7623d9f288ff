import Kit
import Store
import Wire

/// The password of a document.
struct Password: Sendable {
  var text: String?
  /// False until a worker has shown that it is right: nothing stored is returned for a wrong password.
  var isProven: Bool
}

extension Snapshot {
  /// The password that a client gave, else the password that opened the document before.
  func password(for document: DocumentRecord, given: String?) -> Password {
    guard document.isProtected else { return Password(text: nil, isProven: true) }
    let known = services.documents.password(of: document.hash)
    guard let given else { return Password(text: known, isProven: true) }
    return Password(text: given, isProven: known.map { sameBytes($0, given) } ?? false)
  }
}

extension Services {
  /// Notes that a worker opened the document with this password: the next request needs none, and its text can be
  /// extracted.
  func unlock(_ document: DocumentRecord, with password: Password) {
    guard document.isProtected, !password.isProven, let text = password.text else { return }
    documents.unlock(document.hash, with: text)
    if document.keepsText { indexer.index(document.hash, with: self) }
  }
}
