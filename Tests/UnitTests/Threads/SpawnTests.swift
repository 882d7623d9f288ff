import Foundation
import Testing
import Threads

@Suite("Other programs") struct SpawnTests {
  @Test("the exit status of a program is its own, or 128 plus the signal that ended it")
  func status() throws {
    for (script, expected): (String, Int32) in [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", 128 + SIGTERM)] {
      let process = try Spawn.start("sh", ["-c", script], input: .none, output: .none, errors: .none)
      #expect(Spawn.status(of: process) == expected, "\(script)")
    }
  }

  @Test("a program writes into the pipe that is its output, and inherits no other end")
  func pipe() throws {
    let output = try Spawn.pipe(for: "sh")
    defer { close(output.read) }
    let script = "echo \"$0 $1\"; for end in $2 $3; do test -e /proc/self/fd/$end && echo open; done; true"
    let process = try Spawn.start(
      "/bin/sh", ["-c", script, "a b", "c", "\(output.read)", "\(output.write)"], input: .none,
      output: .descriptor(output.write))
    close(output.write)
    let written = try FileHandle(fileDescriptor: output.read).readToEnd()
    #expect(written.map { String(decoding: $0, as: UTF8.self) } == "a b c\n")
    #expect(Spawn.status(of: process) == 0)
  }

  @Test("an isolated program has its own environment and group, three streams, and no signal that is ignored here")
  func isolated() throws {
    let output = try Spawn.pipe(for: "sh")
    let other = try Spawn.pipe(for: "sh")
    defer { for end in [output.read, other.read, other.write] { close(end) } }
    _ = fcntl(other.write, F_SETFD, 0)
    let script = """
      echo "$NAME ${HOME-none}"; read -r _ _ _ _ group _ < /proc/$$/stat; test "$group" = $$ && echo group
      test -e /proc/self/fd/\(other.write) && echo open; kill -USR2 $$; echo ignored
      """
    // No other test uses this signal.
    let before = signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, before) }
    let process = try Spawn.start(
      "/bin/sh", ["-c", script], input: .none, output: .descriptor(output.write), errors: .none,
      isolation: .init(environment: ["NAME": "its own", "PATH": "/usr/bin:/bin"]))
    close(output.write)
    let written = try FileHandle(fileDescriptor: output.read).readToEnd()
    #expect(written.map { String(decoding: $0, as: UTF8.self) } == "its own none\ngroup\n")
    #expect(Spawn.status(of: process) == 128 + SIGUSR2)
  }

  @Test("what this process ignores ends a program all the same", arguments: [SIGPIPE, SIGXFSZ])
  func handled(signal number: Int32) throws {
    // It stays ignored: other tests do the same meanwhile.
    signal(number, SIG_IGN)
    let process = try Spawn.start(
      "sh", ["-c", "kill -\(number) $$; exit 3"], input: .none, output: .none, errors: .none)
    #expect(Spawn.status(of: process) == 128 + number)
  }

  @Test("a program that is not there is an error with its name")
  func missing() {
    #expect {
      _ = try Spawn.start("/no/such/program", [])
    } throws: {
      let failure = $0 as? Spawn.Failure
      return failure?.errno == ENOENT && "\($0)".hasPrefix("/no/such/program cannot be started")
    }
  }
}
