import Glibc
import Threads
import Wire

/// The editor that the environment names.
struct Editor {
  let command: String
  /// The status of a shell that did not find the command.
  static let notFound: Int32 = 127

  init(_ environment: [String: String]) {
    command = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isBlank } ?? "vi"
  }

  /// Runs it on a file and waits for its end. The command may have arguments of its own, as for a shell.
  ///
  /// - Returns: its exit status.
  func edit(_ path: String) -> Int32 {
    // Ctrl-C is the editor's, as long as it is there.
    let numbers = [SIGINT, SIGQUIT]
    let before = numbers.map { signal($0, SIG_IGN) }
    defer { for (number, handler) in zip(numbers, before) { signal(number, handler) } }
    // A command that has started a daemon ignores the ends of its children (`Launch`): then the status would be lost.
    let ofChildren = signal(SIGCHLD, SIG_DFL)
    defer { signal(SIGCHLD, ofChildren) }
    let arguments = ["-c", command + " \"$1\"", "sh", path]
    guard let process = try? Spawn.start("/bin/sh", arguments, terminal: numbers) else { return Self.notFound }
    return Spawn.status(of: process)
  }
}
