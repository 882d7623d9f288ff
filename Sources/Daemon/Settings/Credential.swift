import FoundationEssentials
import Glibc
import HTTP
import Threads
import Wire

/// A named secret: its source, and the only origin to which it may be sent.
///
/// The configuration contains no secrets. Each is read when it is used and not stored longer, so that a change takes
/// effect immediately and a dump of the daemon's memory contains few.
package struct Credential: Sendable, Equatable {
  package enum Source: Sendable, Equatable {
    /// A variable in the daemon's environment.
    case environment(String)
    /// The absolute path of a file that only the user can read.
    case file(String)
    /// A program and its arguments, run without a shell; its standard output is the secret.
    case command([String])
  }

  package let name: String
  package let origin: Origin
  package let source: Source

  package init(name: String, origin: Origin, source: Source) {
    self.name = name
    self.origin = origin
    self.source = source
  }

  /// The time limit of a command.
  package static let deadline: Duration = .seconds(10)
  /// The most bytes of a secret.
  package static let longest = 16 << 10

  /// The secret, without the trailing line end that files and programs add.
  ///
  /// A command runs on a thread of its own.
  ///
  /// - Parameters:
  ///   - environment: The daemon's; a command inherits it.
  ///   - deadline: Afterwards a command and its process group are killed.
  /// - Throws: `CredentialError`. It never contains the secret, nor a command's output or arguments.
  package func secret(
    environment: [String: String] = ProcessInfo.processInfo.environment, deadline: Duration = Credential.deadline
  ) async throws(CredentialError) -> Secret {
    switch source {
    case .environment(let variable):
      guard let value = environment[variable] else {
        throw mistake(Text("credential.noVariable", ["variable": variable]))
      }
      return try secret(Array(value.utf8))
    case .file(let path):
      return try secret(read(path))
    case .command(let arguments):
      let result = await withCheckedContinuation { continuation in
        startThread {
          continuation.resume(
            returning: SecretCommand(arguments: arguments, environment: environment).run(deadline: deadline))
        }
      }
      switch result {
      case .success(let output): return try secret(output)
      case .failure(let failure): throw mistake(failure.text(program: arguments.first ?? ""))
      }
    }
  }

  private func secret(_ bytes: [UInt8]) throws(CredentialError) -> Secret {
    var bytes = bytes[...]
    if bytes.last == 0x0A { bytes = bytes.dropLast() }
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    guard !bytes.isEmpty else { throw mistake(Text("credential.empty")) }
    guard bytes.count <= Self.longest else { throw mistake(Text("credential.tooLong")) }
    // It becomes part of a header line, in which these would begin another one.
    guard !bytes.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
      throw mistake(Text("credential.notOneLine"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw mistake(Text("credential.notUTF8")) }
    return Secret(text)
  }

  /// Checks the open file, not the path, so that it cannot be replaced in between.
  private func read(_ path: String) throws(CredentialError) -> [UInt8] {
    func unreadable(_ number: Int32) -> CredentialError {
      mistake(Text("credential.unreadable", ["path": path, "reason": String(cString: strerror(number))]))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw mistake(Text("credential.notFile", ["path": path])) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw mistake(Text("credential.notPrivate", ["path": path]))
    }
    switch BoundedFile.read(descriptor, limit: Self.longest + 2) {
    case .success(let bytes): return bytes
    case .failure(.tooLong): throw mistake(Text("credential.tooLong"))
    case .failure(.system(let number)): throw unreadable(number)
    }
  }

  /// The stamp of the file with the secret; nil for other sources and for a missing file.
  var fileStamp: ConfigurationBytes.Stamp? {
    if case .file(let path) = source { ConfigurationBytes.Stamp(of: path) } else { nil }
  }

  private func mistake(_ text: Text) -> CredentialError {
    var text = text
    text.arguments["name"] = name
    return CredentialError(text: text)
  }
}

/// Why a credential has no secret now, as a message that names the credential.
package struct CredentialError: Error, Equatable {
  package let text: Text
}
