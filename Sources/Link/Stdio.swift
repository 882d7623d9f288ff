import Glibc

/// Standard input and output, taken away from whoever might print.
package enum Stdio {
  /// Gives descriptors of the real input and output, and leaves `/dev/null` and standard error in their places.
  ///
  /// Nothing but frames may reach a client's pipe, and a careless `print`, ours or a library's, must not be one.
  /// Called once, before anything else runs. The descriptors are the caller's; a program that we start inherits none.
  /// The arguments are for tests, which cannot give their own away.
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
