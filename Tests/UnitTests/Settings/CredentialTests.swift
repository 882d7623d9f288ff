import Display
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Credentials")
struct CredentialTests {
  private func credential(_ source: Credential.Source) throws -> Credential {
    Credential(name: "work", origin: try #require(Origin("https://a.example")), source: source)
  }

  private func secret(
    _ source: Credential.Source, _ environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    deadline: Duration = Credential.deadline
  ) async throws -> String {
    try await credential(source).secret(environment: environment, deadline: deadline).value
  }

  /// The key of the sentence that says why there is no secret.
  private func refusal(
    _ source: Credential.Source, _ environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    deadline: Duration = Credential.deadline
  ) async throws -> String {
    let credential = try credential(source)
    let error = try await #require(throws: CredentialError.self) {
      try await credential.secret(environment: environment, deadline: deadline)
    }
    for language in Language.allCases {
      let sentence = Catalogue().string(for: error.text, language: language)
      #expect(!sentence.contains("hunter2") && !sentence.contains("{") && sentence.contains("work"))
    }
    return error.text.key
  }

  @Test("a variable is read when it is wanted, and one line end is cut off")
  func variable() async throws {
    #expect(try await secret(.environment("T"), ["T": "hunter2"]) == "hunter2")
    #expect(try await secret(.environment("T"), ["T": " hunter 2 \r\n"]) == " hunter 2 ")
    #expect(try await refusal(.environment("T"), [:]) == "credential.noVariable")
  }

  @Test("what is empty, has more than one line or is no text is refused")
  func malformed() async throws {
    for text in ["", "\n", "\r\n"] {
      #expect(try await refusal(.environment("T"), ["T": text]) == "credential.empty")
    }
    for text in ["hunter2\nX: y", "hunter2\n\n", "\rhunter2", "hunter2\0"] {
      #expect(try await refusal(.environment("T"), ["T": text]) == "credential.notOneLine")
    }
    let long = String(repeating: "x", count: Credential.longest)
    #expect(try await secret(.environment("T"), ["T": long]) == long)
    #expect(try await refusal(.environment("T"), ["T": long + "x"]) == "credential.tooLong")
    #expect(try await refusal(.command(["printf", "\\377hunter2"])) == "credential.notUTF8")
  }

  @Test("a file is read only if it is ours and closed to others")
  func file() async throws {
    try await withFolder { folder in
      let path = folder + "/token"
      try Data("hunter2\n".utf8).write(to: URL(filePath: path))
      for mode in [0o600, 0o400] {
        #expect(chmod(path, mode_t(mode)) == 0)
        #expect(try await secret(.file(path)) == "hunter2")
      }
      for mode in [0o640, 0o604, 0o620] {
        #expect(chmod(path, mode_t(mode)) == 0)
        #expect(try await refusal(.file(path)) == "credential.notPrivate")
      }
      #expect(try await refusal(.file(folder + "/none")) == "credential.unreadable")
      #expect(try await refusal(.file(folder)) == "credential.notFile")
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(try await refusal(.file(folder + "/pipe")) == "credential.notFile")
    }
  }

  @Test("a file of another user is refused, however closed", .enabled(if: geteuid() == 0))
  func foreignFile() async throws {
    try await withFolder { folder in
      let path = folder + "/token"
      try Data("hunter2".utf8).write(to: URL(filePath: path))
      chmod(path, 0o600)
      #expect(chown(path, 12_345, 12_345) == 0)
      #expect(try await refusal(.file(path)) == "credential.notPrivate")
    }
  }

  @Test("a command runs without a shell, with the daemon's environment and nothing to read")
  func command() async throws {
    #expect(try await secret(.command(["echo", "$HOME;x"])) == "$HOME;x")
    let environment = ["PATH": "/usr/bin:/bin", "TOKEN": "hunter2"]
    #expect(try await secret(.command(["sh", "-c", "cat; echo \"$TOKEN\"; echo noise >&2"]), environment) == "hunter2")
  }

  @Test("a command inherits no descriptor but its own three")
  func descriptors() async throws {
    let file = open("/dev/null", O_RDONLY)
    let leak = fcntl(file, F_DUPFD, 200)
    defer { for descriptor in [file, leak] { close(descriptor) } }
    let script = "test -e /proc/$$/fd/\(leak) && echo leaked || echo none"
    #expect(try await secret(.command(["sh", "-c", script])) == "none")
  }

  @Test("a command that fails, crashes, says too much or is not there is refused")
  func failures() async throws {
    #expect(try await refusal(.command(["sh", "-c", "echo hunter2; exit 3"])) == "credential.commandFailed")
    #expect(try await refusal(.command(["sh", "-c", "echo hunter2; kill -9 $$"])) == "credential.commandCrashed")
    #expect(try await refusal(.command(["head", "-c", "1000000", "/dev/zero"])) == "credential.tooLong")
    #expect(try await refusal(.command(["/nonexistent/program", "hunter2"])) == "credential.notStarted")
  }

  @Test("a command that takes too long is ended with all that it started", .timeLimit(.minutes(10)))
  func deadline() async throws {
    try await withFolder { folder in
      // The child of the command holds its output open; both hold a lock that only their end releases.
      let script = "exec 9>\(folder)/lock; flock 9; sleep 600 & sleep 600"
      let start = ContinuousClock.now
      let key = try await refusal(.command(["sh", "-c", script]), deadline: .milliseconds(500))
      #expect(key == "credential.timedOut")
      let descriptor = open(folder + "/lock", O_RDWR)
      defer { close(descriptor) }
      #expect(try await blocking { flock(descriptor, LOCK_EX) } == 0)
      #expect(ContinuousClock.now - start < .seconds(500))
    }
  }

  @Test("a command that closes its output and goes on is ended, too", .timeLimit(.minutes(10)))
  func closedOutput() async throws {
    let script = "echo hunter2; exec >&-; sleep 600"
    #expect(
      try await refusal(.command(["sh", "-c", script]), deadline: .milliseconds(200)) == "credential.timedOut")
  }

  @Test("a secret does not show itself")
  func masked() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump([secret], to: &dumped)
    #expect("\(secret)" == "***" && String(reflecting: secret) == "***")
    #expect(!dumped.contains("hunter2"))
  }
}
