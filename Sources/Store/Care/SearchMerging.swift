import SearchEngine

/// Puts together what writes have left in the index, when nobody writes or asks.
///
/// FTS5 writes the words of each commit as a segment of its own, and merges these within later commits unless it is told
/// not to: that makes a write of a Korean text, which has several times the tokens of an English one, half as dear again.
/// Here a write merges only what came without any pause, when 64 of about one size have come together; a word is looked
/// for in each of them.
package struct SearchMerging: Sendable {
  let writer: MaintenanceWriter
  private let courtesy: Courtesy

  init(writer: MaintenanceWriter, asked: @escaping @Sendable () -> Int = { 0 }) {
    (self.writer, courtesy) = (writer, Courtesy(asked: asked))
  }

  /// Who writes next waits for no longer than this, and then has the pause between two of these for himself.
  private static let longest: Duration = .milliseconds(20)
  static let pause: Duration = .milliseconds(50)

  /// What an earlier daemon left waits until those who waited for this one have their first answers.
  static let atStart: WriteQueue.IdleStep = (.seconds(2), { true })

  /// In pages of the index.
  private static let step = 64

  /// Merges for a moment, a commit a step. Whether nothing is left to be merged; also after a failure, such as a disk that
  /// is full: the next write gives another turn.
  func run() -> Bool {
    if courtesy.yields() { return false }
    let started = ContinuousClock.now
    let text = SearchTables.current.text
    do {
      while ContinuousClock.now - started < Self.longest {
        let changes = try writer.write { db in
          let before = db.totalChangesCount
          try db.run("INSERT INTO \(text) (\(text), rank) VALUES ('merge', ?)", [.integer(Self.step)])
          return db.totalChangesCount - before
        }
        // So it says that there was nothing to do (6.10).
        if changes < 2 { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
