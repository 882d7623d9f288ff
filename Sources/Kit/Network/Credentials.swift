import HTTP
import Wire

/// The secrets of config.toml, by their names. Features know names only, and get a secret for the one origin that it is
/// for, when they are about to ask it.
package struct Credentials: Sendable {
  /// What a credential of config.toml may be used for; no secret in it.
  package struct Definition: Sendable, Equatable {
    package let name: String
    package let origin: Origin
    /// Where its secret is read from, and which version of its file there is, in whatever words: others mean another secret.
    package let source: String

    package init(name: String, origin: Origin, source: String = "") {
      self.name = name
      self.origin = origin
      self.source = source
    }
  }

  private let define: @Sendable (String) -> Definition?
  private let read: @Sendable (String) async throws(RPCError) -> Secret
  private let mistake: @Sendable () -> Text?
  private let drop: @Sendable (String) -> Void

  /// - Parameters:
  ///   - define: what config.toml says of a name now.
  ///   - read: the secret of a defined name.
  ///   - mistake: what is wrong with config.toml as it is now, where what it said before holds.
  ///   - drop: forgets a secret that is kept in memory.
  package init(
    define: @escaping @Sendable (String) -> Definition?,
    read: @escaping @Sendable (String) async throws(RPCError) -> Secret,
    mistake: @escaping @Sendable () -> Text? = { nil }, drop: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.define = define
    self.read = read
    self.mistake = mistake
    self.drop = drop
  }

  /// None at all, as without a config.toml.
  package static let none = Credentials(
    define: { _ in nil },
    read: { name throws(RPCError) in throw RPCError(.unauthorized, text: Text("network.noCredential", ["name": name])) }
  )

  /// Whether and for which origin a name is defined.
  package func definition(named name: String) -> Definition? { define(name) }

  /// The secret for a request to this origin.
  ///
  /// - Throws: `unauthorized`, with a sentence that names the credential and never holds a secret, if there is no such
  ///   name, if it is for another origin, or if its variable, file or command gives none.
  package func secret(named name: String, for origin: Origin) async throws(RPCError) -> Secret {
    do throws(RPCError) {
      guard let definition = define(name) else {
        throw RPCError(.unauthorized, text: Text("network.noCredential", ["name": name]))
      }
      guard definition.origin == origin else {
        let arguments = ["name": name, "origin": definition.origin.description, "other": origin.description]
        throw RPCError(.unauthorized, text: Text("network.otherOrigin", arguments))
      }
      return try await read(name)
    } catch {
      // Whoever looks into the file sees something else than we do.
      guard error.kind == .unauthorized, let mistake = mistake() else { throw error }
      var explained = error
      explained.text = Text("network.oldConfiguration").saying(error.text, at: "failure").saying(mistake, at: "mistake")
      throw explained
    }
  }

  /// The secret as `Authorization: Bearer …`.
  package func headers(named name: String, for origin: Origin) async throws(RPCError) -> HTTPHeaders {
    ["Authorization": "Bearer \(try await secret(named: name, for: origin).value)"]
  }

  /// To be called when a service refused the secret: the next use reads it anew, since it may have been changed.
  package func forget(_ name: String) { drop(name) }
}
