import Glibc

/// What is written for people and for pipes, straight to the descriptors: nothing waits in a buffer.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorOutput: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns of the terminal at the error output.
  static var width: Int { width(of: STDERR_FILENO) }
  static var outputWidth: Int { width(of: STDOUT_FILENO) }

  /// Whether the output is a terminal that has colours, and nobody has said that they want none (https://no-color.org).
  static func hasColors(_ environment: [String: String]) -> Bool {
    isOutput && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// To the output. False when nobody reads it any more.
  @discardableResult
  static func write(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

  /// A line to the error output.
  static func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Whoever gave us the descriptor made it so; it is theirs to keep.
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}
