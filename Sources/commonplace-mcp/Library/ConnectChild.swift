import Glibc
import Threads

/// `commonplace connect` as a child: it finds the daemon, starts one if none runs, and carries bytes to it and back.
enum ConnectChild {
  /// Starts it.
  ///
  /// - Returns: the ends of its pipes that are ours: one to read from, one to write to.
  /// - Throws: `Spawn.Failure`.
  static func start(_ options: Options) throws(Spawn.Failure) -> (input: Int32, output: Int32) {
    var arguments = ["connect"]
    if let library = options.library { arguments += ["--library", library] }
    if let socket = options.socket { arguments += ["--socket", socket] }
    let toChild = try Spawn.pipe(for: options.program)
    var ends = [toChild.read, toChild.write]
    do throws(Spawn.Failure) {
      let fromChild = try Spawn.pipe(for: options.program)
      ends += [fromChild.read, fromChild.write]
      _ = try Spawn.start(
        options.program, arguments, input: .descriptor(toChild.read), output: .descriptor(fromChild.write))
      close(toChild.read)
      close(fromChild.write)
      return (fromChild.read, toChild.write)
    } catch {
      for end in ends { close(end) }
      throw error
    }
  }
}
