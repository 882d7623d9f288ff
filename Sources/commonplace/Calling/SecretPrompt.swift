import Glibc

/// Prompts for a secret on the terminal, without showing it.
struct SecretPrompt {
  var isPossible: Bool
  /// Nil if the user cancels (Ctrl-C, Ctrl-D).
  var ask: (_ name: String) -> String?

  /// The character that Ctrl-C sends.
  private static let interrupt: UInt8 = 3

  static var terminal: SecretPrompt {
    SecretPrompt(isPossible: isatty(STDIN_FILENO) == 1 && Terminal.isErrorOutput, ask: askTerminal)
  }

  private static func askTerminal(_ name: String) -> String? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    // The terminal's echo must be restored if the user cancels: Ctrl-C is read as a byte that ends the line, and
    // other signals restore the echo before they end this process.
    silent.c_lflag &= ~tcflag_t(ISIG)
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = interrupt }
    let guarded = GuardedTerminal(before)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      guarded.end()
      Terminal.say("")
    }
    Terminal.write("\(name): ", to: STDERR_FILENO)
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, byte != interrupt else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
}
