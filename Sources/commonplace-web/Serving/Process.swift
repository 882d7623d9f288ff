import Glibc
import Threads

/// Other programs that the bridge starts.
enum Process {
  /// Starts a program of the PATH that needs no attention.
  static func start(_ program: String, _ arguments: [String]) {
    signal(SIGCHLD, SIG_IGN)
    _ = try? Spawn.start(program, arguments, input: .none, output: .none, errors: .none)
  }

  /// Runs a program and waits for its end. Blocks the thread.
  ///
  /// - Returns: what it wrote to its output and to its error output, each less than a pipe holds, and its exit status; 1 if a
  ///   signal ended it.
  /// - Throws: `Spawn.Failure` if it cannot be started.
  static func run(
    _ program: String, _ arguments: [String]
  ) throws(Spawn.Failure) -> (output: String, errors: String, status: Int32) {
    // Its status has to be seen.
    signal(SIGCHLD, SIG_DFL)
    let output = try Spawn.pipe(for: program)
    var open = [output.read, output.write]
    defer { for end in open { close(end) } }
    let errors = try Spawn.pipe(for: program)
    open += [errors.read, errors.write]
    let process = try Spawn.start(
      program, arguments, input: .none, output: .descriptor(output.write), errors: .descriptor(errors.write))
    for end in [output.write, errors.write] { close(end) }
    open = [output.read, errors.read]
    let (written, reported) = (text(from: output.read), text(from: errors.read))
    let status = Spawn.status(of: process)
    return (written, reported, status < 128 ? status : 1)
  }

  private static func text(from descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 64 << 10 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
