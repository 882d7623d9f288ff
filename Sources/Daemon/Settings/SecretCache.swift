import HTTP
import Kit
import Synchronization
import Wire

/// Provides features with the secrets that config.toml defines, read on use and cached for a minute: sixty feeds of one
/// site cause only one query to the password manager.
///
/// A secret is cached with the definition by which it was read, and with the previous stamp of its file, so a changed
/// config.toml and a changed file take effect immediately. Changes of a variable or a command's output are only noticed
/// when it is read again.
package final class SecretCache: Sendable {
  private struct CachedSecret {
    let credential: Credential
    let file: ConfigurationBytes.Stamp?
    let secret: Task<Result<Secret, CredentialError>, Never>
    let readAt: ContinuousClock.Instant
  }

  /// How long a secret is cached.
  package static let stay: Duration = .seconds(60)

  private let definitions: @Sendable () -> [String: Credential]
  private let mistake: @Sendable () -> Text?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let read: @Sendable (Credential) async -> Result<Secret, CredentialError>
  private let cached = Mutex<[String: CachedSecret]>([:])

  /// - Parameters:
  ///   - definitions: returns the current definitions of config.toml.
  ///   - mistake: returns the error in config.toml, if an earlier version is in effect.
  ///   - now: a monotonic clock.
  ///   - read: reads a secret from its source.
  package init(
    definitions: @escaping @Sendable () -> [String: Credential], mistake: @escaping @Sendable () -> Text? = { nil },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    read: @escaping @Sendable (Credential) async -> Result<Secret, CredentialError> = SecretCache.readNow
  ) {
    self.definitions = definitions
    self.mistake = mistake
    self.now = now
    self.read = read
  }

  /// The secrets in the form that features use.
  package var credentials: Credentials {
    Credentials(
      define: { [definitions] name in
        definitions()[name].map { credential in
          let file = credential.fileStamp.map { " \($0)" } ?? ""
          return Credentials.Definition(name: name, origin: credential.origin, source: "\(credential.source)\(file)")
        }
      },
      read: { [self] name throws(RPCError) in try await secret(named: name) },
      mistake: mistake,
      drop: { [self] name in cached.withLock { _ = $0.removeValue(forKey: name) } })
  }

  /// Reads a secret from its variable, file or command.
  package static let readNow: @Sendable (Credential) async -> Result<Secret, CredentialError> = { credential in
    do throws(CredentialError) {
      return .success(try await credential.secret())
    } catch {
      return .failure(error)
    }
  }

  private func secret(named name: String) async throws(RPCError) -> Secret {
    guard let credential = definitions()[name] else {
      throw RPCError(.unauthorized, text: Text("network.noCredential", ["name": name]))
    }
    let now = now()
    let file = credential.fileStamp
    let task = cached.withLock { cached in
      cached = cached.filter { now - $0.value.readAt < Self.stay }
      if let known = cached[name], known.credential == credential, known.file == file { return known.secret }
      // A separate task: the first caller may be cancelled, and the others still need the result.
      let task = Task { [read] in await read(credential) }
      cached[name] = CachedSecret(credential: credential, file: file, secret: task, readAt: now)
      return task
    }
    switch await task.value {
    case .success(let secret): return secret
    case .failure(let failure):
      // A failure is not cached, since the user may unlock the password manager before the next call.
      cached.withLock { cached in
        if cached[name]?.secret == task { cached[name] = nil }
      }
      throw RPCError(.unauthorized, text: failure.text)
    }
  }
}
