import Synchronization

/// `config.toml` while the daemon runs: read again when it has changed.
///
/// There is no thread that watches. Whoever needs the configuration asks for `current()`, and at most once a second
/// that looks at the file. A file with a mistake changes nothing; the last good configuration stays.
package final class ConfigurationFile: Sendable {
  package enum Event: Sendable, Equatable {
    /// The file was read and says something else than before.
    case changed(Configuration)
    /// The file has a mistake; told once for each version of the file.
    case broken(ConfigurationError)
  }

  /// How long an answer stands before the file is looked at again.
  package static let pause: Duration = .seconds(1)

  private struct State {
    var configuration: Configuration
    /// Of the version that was read last, good or not; nil if there was none.
    var stamp: ConfigurationBytes.Stamp?
    /// Whether the last look found the file missing or empty for the first time.
    var isVanishing = false
    var lookedAt: ContinuousClock.Instant
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
  ///     `current()` itself.
  package init(
    path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    tell: @escaping @Sendable (Event) -> Void
  ) throws(ConfigurationError) {
    self.path = path
    self.now = now
    self.tell = tell
    let file = try ConfigurationBytes.read(path)
    let configuration = try file.map { file throws(ConfigurationError) in try Configuration(toml: file.bytes) }
    state = Mutex(State(configuration: configuration ?? Configuration(), stamp: file?.stamp, lookedAt: now()))
  }

  /// The configuration as the file said it within the last second.
  package func current() -> Configuration {
    state.withLock { state in
      let now = now()
      guard now - state.lookedAt >= Self.pause else { return state.configuration }
      state.lookedAt = now
      look(&state)
      return state.configuration
    }
  }

  private func look(_ state: inout State) {
    let stamp = ConfigurationBytes.Stamp(of: path)
    guard stamp != state.stamp else {
      state.isVanishing = false
      return
    }
    // Some editors empty or remove a file before they write it. To be taken for its author's wish, an empty or missing
    // file must be found twice.
    if stamp == nil || stamp?.size == 0, !state.isVanishing {
      state.isVanishing = true
      return
    }
    state.isVanishing = false
    // Where reading fails, the stamp of the look stands for the version, so that it is told once.
    state.stamp = stamp
    do throws(ConfigurationError) {
      let file = try ConfigurationBytes.read(path)
      state.stamp = file?.stamp
      let configuration = try file.map { file throws(ConfigurationError) in try Configuration(toml: file.bytes) }
      let read = configuration ?? Configuration()
      guard read != state.configuration else { return }
      state.configuration = read
      tell(.changed(read))
    } catch {
      tell(.broken(error))
    }
  }
}
