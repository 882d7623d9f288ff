/// The log of the daemon for its administrator. Any thread may write.
package struct Log: Sendable {
  package enum Level: String, Sendable {
    /// Normal, and worth a line.
    case info
    /// Unusual, or repaired.
    case warning
    /// Something requested or promised failed.
    case error
  }

  private let write: @Sendable (Level, String) -> Void

  package init(_ write: @escaping @Sendable (Level, String) -> Void) {
    self.write = write
  }

  /// Writes one line. The sentence may contain anything but a secret.
  package func callAsFunction(_ sentence: String, as level: Level = .error) {
    write(level, sentence)
  }
}
