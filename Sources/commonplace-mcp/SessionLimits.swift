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

  /// - Throws: `ToolFailure` if the session has read its share, before anything is done for the request.
  func requireReads() throws(ToolFailure) {
    guard state.withLock({ $0.readBytes >= values.readBytes }) else { return }
    throw ToolFailure(
      "This session has read \(values.readBytes >> 20) MiB, which is its limit. Nothing was done. Ask the user to start "
        + "another one.")
  }

  /// Counts the bytes of an answer. One that is refused is not counted: it was not read, and a shorter one may still fit.
  ///
  /// - Throws: `ToolFailure` if the session may not read so many more.
  func read(bytes: Int) throws(ToolFailure) {
    let left: Int? = state.withLock { state in
      guard state.readBytes + bytes <= values.readBytes else { return max(0, values.readBytes - state.readBytes) }
      state.readBytes += bytes
      return nil
    }
    guard let left else { return }
    throw ToolFailure(
      "The answer has \(bytes) bytes, and this session may read \(left) more of its \(values.readBytes >> 20) MiB. Ask "
        + "for less, or ask the user to start another one.")
  }

  /// Counts the bytes of an answer that cannot be refused, such as that of a change that was made.
  func note(bytes: Int) {
    state.withLock { $0.readBytes += bytes }
  }
}
