import HTTP
import Kit
import PDF
import Store
import Wire

/// A document's password from the place that config.toml names, so that the user need not type it.
///
/// The library stores the credential's name only. Like every credential it is for one origin: that of a URL from
/// which the document was added, or `http://localhost` for documents of this machine. It is given to a worker, which
/// has no network access, and stays in memory like a typed one.
enum DocumentCredential {
  private static let thisMachine = "http://localhost"

  /// - Parameter origins: the URLs and paths that the document was added from.
  /// - Throws: `unauthorized`, with the credential's problem.
  static func password(named name: String, origins: [String], with services: Services) async throws -> String {
    let own = (origins + [thisMachine]).compactMap { Origin($0) }
    let defined = services.credentials.definition(named: name)?.origin
    guard let origin = own.first(where: { $0 == defined }) ?? own.first else { throw RPCError(.unauthorized) }
    return try await services.credentials.secret(named: name, for: origin).value
  }
}

extension Services {
  /// The password for a worker: if none is set, that of the document's credential.
  func complete(_ password: Password, of document: DocumentRecord) async throws -> Password {
    guard document.isProtected, password.text == nil, let name = document.credential else { return password }
    let origins = JSONList.strings(document.origins) + (document.url.map { [$0] } ?? [])
    return Password(
      text: try await DocumentCredential.password(named: name, origins: origins, with: self), isProven: false)
  }

  /// The document's file for a worker, and the password that opens it.
  func source(
    of document: DocumentRecord, opening password: Password
  ) async throws -> (source: DocumentSource, password: Password) {
    let password = try await complete(password, of: document)
    return (try await source(of: document.hash, password: password.text), password)
  }
}
