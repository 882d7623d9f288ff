import Contract
import FoundationEssentials
import Glibc
import Synchronization
import Wire

/// The daemon's log: one line per event, `2026-11-21T03:04:05.678Z error The disk is full.`
///
/// Two daemons, of two libraries, may write the same file: every line is one `write` at the file's end, and a rotation
/// by the other daemon is detected before the next line.
///
/// A log that cannot be written is not fatal; its last errors are still stored in memory. Any thread may write.
package final class LogFile: Sendable {
  package typealias Level = Log.Level

  /// How many lines of warnings and errors are stored in memory.
  package static let keptErrors = 20

  private struct State {
    var descriptor: Int32 = -1
    var lastErrors: [String] = []
    var saidThatItFailed = false
  }

  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Instant
  private let foundFull: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: The file; its folder is created if it is missing.
  ///   - limit: The size in bytes from which the file is rotated to `path.1`, replacing the previous one.
  ///   - foundFull: Called when the file is full, before the lock for the rotation is taken: the moment in which
  ///     another daemon may do the same.
  package init(
    path: String, limit: Int = 4 << 20, now: @escaping @Sendable () -> Instant,
    foundFull: @escaping @Sendable () -> Void = {}
  ) {
    self.foundFull = foundFull
    self.path = path
    self.limit = limit
    self.now = now
  }

  deinit {
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Appends one line. The sentence may contain anything but a secret.
  package func write(_ level: Level, _ sentence: String) {
    let text = LogLine.escaped(sentence)
    // The time is read inside the lock, so that the lines of one process are in chronological order.
    state.withLock { state in
      let line = "\(now()) \(level.rawValue) \(text)"
      if level != .info { Self.keep(line, in: &state) }
      if let failure = append(Array((line + "\n").utf8), &state) {
        guard !state.saidThatItFailed else { return }
        state.saidThatItFailed = true
        Self.keep("\(now()) error The log \(LogLine.escaped(path)) cannot be written: \(failure)", in: &state)
      } else {
        state.saidThatItFailed = false
      }
    }
  }

  /// The newest warnings and errors of this process, oldest first.
  package var lastErrors: [String] { state.withLock { $0.lastErrors } }

  private static func keep(_ line: String, in state: inout State) {
    state.lastErrors.append(line)
    if state.lastErrors.count > keptErrors { state.lastErrors.removeFirst() }
  }

  /// Returns an error message, or nil.
  private func append(_ line: [UInt8], _ state: inout State) -> String? {
    if !isCurrent(state.descriptor), let failure = reopen(&state) { return failure }
    if size(state.descriptor) > 0, size(state.descriptor) + line.count > limit {
      foundFull()
      putAside(state.descriptor)
      if let failure = reopen(&state) { return failure }
    }
    return line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(state.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return String(cString: strerror(errno)) }
        rest = rest.dropFirst(count)
      }
      return nil
    }
  }

  private func reopen(_ state: inout State) -> String? {
    if state.descriptor >= 0 { close(state.descriptor) }
    state.descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    if state.descriptor < 0, errno == ENOENT {
      let folder = parentFolder(of: path)
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      state.descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    }
    guard state.descriptor >= 0 else { return String(cString: strerror(errno)) }
    // A log left by an older version, or created by the user, must be private too.
    fchmod(state.descriptor, 0o600)
    return nil
  }

  /// Whether the descriptor is still the file at the path.
  private func isCurrent(_ descriptor: Int32) -> Bool {
    var here = stat()
    var there = stat()
    guard descriptor >= 0, fstat(descriptor, &here) == 0, stat(path, &there) == 0 else { return false }
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  private func size(_ descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Rotates the file under its lock, so that of two daemons that find it full only one rotates it, and the other does
  /// not rotate the new one at once.
  private func putAside(_ descriptor: Int32) {
    // A signal interrupts the wait, which is then repeated.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { flock(descriptor, LOCK_UN) }
    if isCurrent(descriptor) { rename(path, path + ".1") }
  }
}

/// Formats a sentence as a single line.
package enum LogLine {
  /// The most bytes of a sentence; a longer one is cut and ends with `…`.
  static let longest = 8_192

  /// Whether it would break a line, control a terminal, or change the direction of the following text.
  package static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Escapes characters that would break the line or control a terminal: control characters, separators that some
  /// programs treat as line ends, and marks that change the direction of text.
  package static func escaped(_ sentence: String) -> String {
    var text = ""
    for scalar in sentence.unicodeScalars {
      guard text.utf8.count < longest else { return text + "…" }
      switch scalar.value {
      case 0x09: text += "\\t"
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case _ where steers(scalar): text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
