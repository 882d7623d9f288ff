import Daemon
import Glibc

/// Writes for people and for pipes, directly to the descriptors, without a buffer.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isErrorOutput: Bool { isatty(STDERR_FILENO) == 1 }

  /// The columns of the terminal at the error output.
  static var width: Int { width(of: STDERR_FILENO) }
  static var outputWidth: Int { width(of: STDOUT_FILENO) }

  /// Whether the output is a terminal with colours, and the user has not disabled them (https://no-color.org).
  static func hasColors(_ environment: [String: String]) -> Bool {
    isOutput && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// To the output. False if it has no reader any more.
  @discardableResult
  static func write(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

  /// A line to the error output. It may contain names of files, servers and columns, which are untrusted.
  static func say(_ line: String) { write(plain(line) + "\n", to: STDERR_FILENO) }

  /// JSON to the output, or to another descriptor.
  @discardableResult
  static func write(json: String, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    write(isatty(descriptor) == 1 ? steerless(json: json) : json, to: descriptor)
  }

  /// Without terminal control characters; line ends stay.
  static func plain(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { LogLine.escaped(String($0)) }
      .joined(separator: "\n")
  }

  /// The same value with terminal control characters as `\u`: they occur in strings alone, and JSON's writer escapes
  /// only the characters that JSON requires.
  static func steerless(json: String) -> String {
    guard json.unicodeScalars.contains(where: { LogLine.steers($0) && $0 != "\n" }) else { return json }
    var text = ""
    for scalar in json.unicodeScalars {
      guard LogLine.steers(scalar), scalar != "\n" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return text
  }

  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // The descriptor was made non-blocking by its owner, so its mode is left as it is.
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
