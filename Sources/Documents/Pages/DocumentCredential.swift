import HTTP
import Kit
import PDF
import Store
import Wire

/// A document's password that lies where config.toml says, so that nobody need type it.
///
/// The library knows the credential's name only. As every credential it is for one origin: that of a URL that the
/// document came from, or `http://localhost` for documents of this machine. It is given to a worker, which reaches no
/// network, and kept in memory as one that was typed.
enum DocumentCredential {
  private static let thisMachine = "http://localhost"

  /// - Parameter origins: the URLs and paths that the document came from.
  /// - Throws: `unauthorized`, with what is wrong with the credential.
  static func password(named name: String, origins: [String], with services: Services) async throws -> String {
    let own = (origins + [thisMachine]).compactMap { Origin($0) }
    let defined = services.credentials.definition(named: name)?.origin
    guard let origin = own.first(where: { $0 == defined }) ?? own.first else { throw RPCError(.unauthorized) }
    return try await services.credentials.secret(named: name, for: origin).value
  }
}

extension Services {
  /// The password as a worker gets it: where none is known, that of the document's credential.
  func complete(_ password: Password, of document: DocumentRecord) async throws -> Password {
    guard document.isProtected, password.text == nil, let name = document.credential else { return password }
    let origins = JSONList.strings(document.origins) + (document.url.map { [$0] } ?? [])
    return Password(
      text: try await DocumentCredential.password(named: name, origins: origins, with: self), isProven: false)
  }
  /// What a worker reads a document from, and what opens it.
  func source(
    of document: DocumentRecord, opening password: Password
  ) async throws -> (source: DocumentSource, password: Password) {
    let password = try await complete(password, of: document)
    return (
      DocumentSource(key: document.hash, path: try blobs.path(named: document.hash), password: password.text), password
    )
  }
}
