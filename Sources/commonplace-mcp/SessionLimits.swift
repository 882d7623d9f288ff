import Synchronization

/// The limits of one session, which is one process of this program.
final class SessionLimits: Sendable {
  struct Values: Sendable {
    var commitsPerMinute = 60
    var itemsPerCommit = 100
    /// Bytes of all answers together.
    var readBytes = 64 << 20
    /// Estimated tokens of one answer (`TextBudget`).
    var answerTokens = 8_000
  }

  private struct State {
    /// When the commits of the last minute began, oldest first.
    var commits: [ContinuousClock.Instant] = []
    var readBytes = 0
  }

  let values: Values
  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  init(_ values: Values, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.values = values
    self.now = now
  }

  /// Counts one commit.
  ///
  /// - Throws: `ToolFailure` if the minute's commits are used up.
  func beginCommit() throws(ToolFailure) {
    let now = now()
    let wait: Duration? = state.withLock { state in
      state.commits.removeAll { now - $0 >= .seconds(60) }
      guard state.commits.count >= values.commitsPerMinute else {
        state.commits.append(now)
        return nil
      }
      return .seconds(60) - (now - state.commits[0])
    }
    guard let wait else { return }
    throw ToolFailure(
      "This session may make \(values.commitsPerMinute) changes a minute. Nothing was changed. Wait "
        + "\(wait.components.seconds + 1) seconds, or put several items into one change.")
  }

  /// - Throws: `ToolFailure` if a change touches more items than one commit of the session may.
  func check(items count: Int) throws(ToolFailure) {
    guard count > values.itemsPerCommit else { return }
    throw ToolFailure(
      "The change would touch \(count) items, but one change may touch \(values.itemsPerCommit). Nothing was changed. "
        + "Split it into smaller changes.")
  }

  /// Counts the bytes of an answer.
  ///
  /// - Throws: `ToolFailure` once the session has read its share.
  func read(bytes: Int) throws(ToolFailure) {
    let isOver = state.withLock { state in
      guard state.readBytes + bytes <= values.readBytes else { return true }
      state.readBytes += bytes
      return false
    }
    guard isOver else { return }
    throw ToolFailure(
      "This session has read \(values.readBytes >> 20) MiB, which is its limit. Ask the user to start another one.")
  }
}
