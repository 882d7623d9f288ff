import Synchronization

/// `config.toml` while the daemon runs: read again when it has changed.
///
/// There is no thread that watches. Whoever needs the configuration asks for `current()`, and that looks at the file: a
/// `stat`, a microsecond, so that what was saved counts for the very next request. A file with a mistake changes
/// nothing; the last good configuration stays, and `state()` tells the mistake.
package final class ConfigurationFile: Sendable {
  package enum Event: Sendable, Equatable {
    /// The file was read and says something else than before.
    case changed(Configuration)
    /// The file has a mistake; told once for each version of the file.
    case broken(ConfigurationError)
  }

  /// What holds, and how the file is beside it.
  package struct Reading: Sendable {
    /// What holds.
    package var configuration: Configuration
    /// What the daemon started with; some of it counts until its end.
    package var started: Configuration
    /// What is wrong with the file as it is now. Then `configuration` is what it said before.
    package var mistake: ConfigurationError?
    /// Whether there is a file.
    package var isThere: Bool
  }

  /// How long a file must be missing or empty to be taken for its author's wish.
  package static let pause: Duration = .seconds(1)
  /// So soon after it was read a file may change without another stamp: file systems count time in steps of some
  /// milliseconds. It is read again until then.
  private static let young: Duration = .milliseconds(50)

  private struct State {
    var reading: Reading
    /// Of the version that was read last, good or not; nil if there was none.
    var stamp: ConfigurationBytes.Stamp?
    var readAt: ContinuousClock.Instant
    /// Since when the file is found missing or empty.
    var vanishedAt: ContinuousClock.Instant?
  }

  private let path: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let tell: @Sendable (Event) -> Void
  private let state: Mutex<State>

  /// Reads the file for the first time. A daemon does not start with a broken one: there is no last good configuration,
  /// and the defaults would be another's wishes (`offline`, for one).
  ///
  /// - Parameters:
  ///   - now: A clock that never goes back.
  ///   - tell: What happened, one event at a time and in order, on the thread of whoever asked. Must not ask
  ///     for the configuration itself.
  package init(
    path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    tell: @escaping @Sendable (Event) -> Void
  ) throws(ConfigurationError) {
    self.path = path
    self.now = now
    self.tell = tell
    let file = try ConfigurationBytes.read(path)
    let configuration = try file.map { file throws(ConfigurationError) in try Configuration(toml: file.bytes) }
    let read = configuration ?? Configuration()
    state = Mutex(
      State(
        reading: Reading(configuration: read, started: read, mistake: nil, isThere: file != nil), stamp: file?.stamp,
        readAt: now()))
  }

  /// The configuration as the file says it now, or said it while it had no mistake.
  package func current() -> Configuration { reading().configuration }

  /// The same, and how the file is.
  package func reading() -> Reading {
    state.withLock { state in
      look(&state)
      return state.reading
    }
  }

  private func look(_ state: inout State) {
    let stamp = ConfigurationBytes.Stamp(of: path)
    let now = now()
    let isSame = stamp == state.stamp
    if isSame { state.vanishedAt = nil }
    guard !isSame || stamp != nil && now - state.readAt < Self.young else { return }
    // Some editors empty or remove a file before they write it. To be taken for its author's wish, it must stay so.
    if stamp == nil || stamp?.size == 0, !isSame {
      let vanishedAt = state.vanishedAt ?? now
      state.vanishedAt = vanishedAt
      guard now - vanishedAt >= Self.pause else { return }
    }
    state.vanishedAt = nil
    // Where reading fails, the stamp of the look stands for the version, so that it is told once.
    state.stamp = stamp
    if !isSame { state.readAt = now }
    do throws(ConfigurationError) {
      let file = try ConfigurationBytes.read(path)
      state.stamp = file?.stamp
      let configuration = try file.map { file throws(ConfigurationError) in try Configuration(toml: file.bytes) }
      let read = configuration ?? Configuration()
      state.reading.mistake = nil
      state.reading.isThere = file != nil
      guard read != state.reading.configuration else { return }
      state.reading.configuration = read
      tell(.changed(read))
    } catch {
      let isKnown = isSame && state.reading.mistake == error
      state.reading.mistake = error
      state.reading.isThere = true
      if !isKnown { tell(.broken(error)) }
    }
  }
}
