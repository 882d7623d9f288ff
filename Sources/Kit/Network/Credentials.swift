import HTTP
import Wire

/// The secrets of config.toml by name. Features only know names, and get a secret for its one origin when they are
/// about to send a request there.
package struct Credentials: Sendable {
  /// The permitted use of a credential in config.toml, without its secret.
  package struct Definition: Sendable, Equatable {
    package let name: String
    package let origin: Origin
    /// Identifies the source of its secret and the version of that file; a different text means a different secret.
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
  ///   - define: returns the definition in the current config.toml.
  ///   - read: reads the secret of a defined name.
  ///   - mistake: returns the error in the current config.toml, if an earlier version is in effect.
  ///   - drop: removes a secret from the cache.
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

  /// No credentials, as without a config.toml.
  package static let none = Credentials(
    define: { _ in nil },
    read: { name throws(RPCError) in throw RPCError(.unauthorized, text: Text("network.noCredential", ["name": name])) }
  )

  /// The definition of a name; nil if there is none.
  package func definition(named name: String) -> Definition? { define(name) }

  /// The secret for a request to this origin.
  ///
  /// - Throws: `unauthorized`, with a message that names the credential and never contains a secret, if the name is not
  ///   defined, if it is for another origin, or if its variable, file or command yields no secret.
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
      // The file on disk differs from the settings in effect.
      guard error.kind == .unauthorized, let mistake = mistake() else { throw error }
      var explained = error
      explained.text = Text("network.oldConfiguration").saying(error.text, at: "failure").saying(mistake, at: "mistake")
      throw explained
    }
  }

  /// Called after a service refused the secret: the next use reads it again, since it may have changed.
  package func forget(_ name: String) { drop(name) }
}
