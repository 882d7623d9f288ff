import HTTP
import Kit
import Synchronization
import Wire

/// Gives features the secrets that config.toml defines, read when they are wanted and kept for a minute: sixty feeds of
/// one site are one question to the password manager.
///
/// A secret is kept with the definition it was read by, and with the stamp that its file had before, so a changed
/// config.toml and a changed file count at once. What a variable or a command gives is known only when it is read.
package final class KeptSecrets: Sendable {
  private struct Kept {
    let credential: Credential
    let file: ConfigurationBytes.Stamp?
    let secret: Task<Result<Secret, CredentialError>, Never>
    let readAt: ContinuousClock.Instant
  }

  /// How long a secret stays in memory.
  package static let stay: Duration = .seconds(60)

  private let definitions: @Sendable () -> [String: Credential]
  private let mistake: @Sendable () -> Text?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let read: @Sendable (Credential) async -> Result<Secret, CredentialError>
  private let kept = Mutex<[String: Kept]>([:])

  /// - Parameters:
  ///   - definitions: what config.toml says now.
  ///   - mistake: what is wrong with config.toml, where it is what it said before.
  ///   - now: a clock that never goes back.
  ///   - read: gets a secret from where it is.
  package init(
    definitions: @escaping @Sendable () -> [String: Credential], mistake: @escaping @Sendable () -> Text? = { nil },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    read: @escaping @Sendable (Credential) async -> Result<Secret, CredentialError> = KeptSecrets.readNow
  ) {
    self.definitions = definitions
    self.mistake = mistake
    self.now = now
    self.read = read
  }

  /// As features see them.
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
      drop: { [self] name in kept.withLock { _ = $0.removeValue(forKey: name) } })
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
    let task = kept.withLock { kept in
      kept = kept.filter { now - $0.value.readAt < Self.stay }
      if let known = kept[name], known.credential == credential, known.file == file { return known.secret }
      // A task of its own: the first who asks may leave, and the others still want the answer.
      let task = Task { [read] in await read(credential) }
      kept[name] = Kept(credential: credential, file: file, secret: task, readAt: now)
      return task
    }
    switch await task.value {
    case .success(let secret): return secret
    case .failure(let failure):
      // What failed is tried again by the next one, who may have unlocked the password manager meanwhile.
      kept.withLock { kept in
        if kept[name]?.secret == task { kept[name] = nil }
      }
      throw RPCError(.unauthorized, text: failure.text)
    }
  }
}
