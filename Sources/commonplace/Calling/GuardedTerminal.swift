import Glibc
import Synchronization

/// While this object exists, a signal that ends the process restores the terminal's settings first. The process then
/// dies by that signal, as the sender expects.
///
/// A handler, since a signal that is only blocked here is delivered to any other thread.
struct GuardedTerminal {
  private var former: [(number: Int32, action: sigaction)] = []

  /// - Parameter before: The settings to go back to.
  init(_ before: termios) {
    // Never freed: a handler may have begun on another thread when this ends.
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    settings.initialize(to: before)
    settingsToRestore.store(UInt(bitPattern: settings), ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0 else { continue }
      // A signal that `nohup` made ignored stays ignored.
      if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        continue
      }
      var new = sigaction()
      new.__sigaction_handler.sa_handler = restoreAndDie
      // Including SIGTTOU, which would stop a background process that sets its terminal.
      sigfillset(&new.sa_mask)
      if sigaction(number, &new, nil) == 0 { former.append((number, old)) }
    }
  }

  /// The terminal is as it was.
  func end() {
    for (number, action) in former {
      var action = action
      sigaction(number, &action, nil)
    }
    settingsToRestore.store(0, ordering: .sequentiallyConsistent)
  }
}

/// The address of a `termios`, 0 for none.
private let settingsToRestore = Atomic<UInt>(0)

/// Interrupts arbitrary code, so it calls only functions that POSIX allows there.
private func restoreAndDie(_ number: Int32) {
  let address = settingsToRestore.load(ordering: .sequentiallyConsistent)
  if let settings = UnsafeMutablePointer<termios>(bitPattern: address) {
    tcsetattr(STDIN_FILENO, TCSANOW, settings)
    var end = UInt8(ascii: "\n")
    _ = write(STDERR_FILENO, &end, 1)
  }
  signal(number, SIG_DFL)
  // Delivered as soon as this handler has returned.
  raise(number)
}
