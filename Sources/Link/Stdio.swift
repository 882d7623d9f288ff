import Glibc

/// Standard input and output, protected from other code that prints.
package enum Stdio {
  /// Returns descriptors of the real input and output, and replaces them by `/dev/null` and standard error.
  ///
  /// Only frames may be written to a client's pipe, and a stray `print`, ours or a library's, must not corrupt it.
  /// Called once, before anything else runs. The descriptors belong to the caller; child processes inherit none. The
  /// arguments are for tests, which cannot replace their own.
  ///
  /// - Throws: `UnixSocket.Failure.system` if a descriptor cannot be duplicated.
  package static func take(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO
  ) throws(UnixSocket.Failure) -> (input: Int32, output: Int32) {
    let realInput = fcntl(input, F_DUPFD_CLOEXEC, 3)
    guard realInput >= 0 else { throw .system(call: "dup", errno: errno) }
    let realOutput = fcntl(output, F_DUPFD_CLOEXEC, 3)
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard realOutput >= 0, null >= 0, dup2(null, input) >= 0, dup2(error, output) >= 0 else {
      throw .system(call: "dup", errno: errno)
    }
    close(null)
    return (realInput, realOutput)
  }
}
