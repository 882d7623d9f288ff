/// Where the parts of the daemon tell what happened to whoever looks after it. Any thread may write.
package struct Log: Sendable {
  package enum Level: String, Sendable {
    /// In order, and worth a line.
    case info
    /// Odd, or put right again.
    case warning
    /// Something that was asked for or promised did not come about.
    case error
  }

  private let write: @Sendable (Level, String) -> Void

  package init(_ write: @escaping @Sendable (Level, String) -> Void) {
    self.write = write
  }

  /// Writes one line. The sentence may hold anything but a secret.
  package func callAsFunction(_ sentence: String, as level: Level = .error) {
    write(level, sentence)
  }
}
