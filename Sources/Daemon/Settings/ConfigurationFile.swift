import Synchronization

/// `config.toml` of a running daemon: read again when it has changed.
///
/// No thread watches it. Each use of the configuration calls `current()`, which checks the file with a `stat`, a
/// microsecond, so that a saved change applies to the very next request. A file with an error changes nothing; the last
/// valid configuration stays in effect, and `state()` returns the error.
package final class ConfigurationFile: Sendable {
  package enum Event: Sendable, Equatable {
    /// The file was read and its settings have changed.
    case changed(Configuration)
    /// The file has an error; reported once for each version of the file.
    case broken(ConfigurationError)
  }

  /// The settings in effect, and the state of the file.
  package struct Reading: Sendable {
    /// The settings in effect.
    package var configuration: Configuration
    /// The settings at startup; some of them apply until the daemon exits.
    package var started: Configuration
    /// The error in the current file. `configuration` is then that of the last valid version.
    package var mistake: ConfigurationError?
    /// Whether there is a file.
    package var isThere: Bool
  }

  /// How long a file must be missing or empty before that counts as intended.
  package static let pause: Duration = .seconds(1)
  /// A file may change within this time after it was read without a new stamp, since file systems count time in steps
  /// of some milliseconds. Until then it is read again.
  private static let young: Duration = .milliseconds(50)

  private struct State {
    var reading: Reading
    /// The stamp of the last version read, valid or not; nil if there was none.
    var stamp: ConfigurationBytes.Stamp?
    var readAt: ContinuousClock.Instant
    /// Since when the file has been missing or empty.
    var vanishedAt: ContinuousClock.Instant?
  }

  private let path: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let report: @Sendable (Event) -> Void
  private let state: Mutex<State>

  /// Reads the file for the first time. A daemon does not start with an invalid one: there is no last valid
  /// configuration, and the defaults may contradict the user's settings (`offline`, for one).
  ///
  /// - Parameters:
  ///   - now: A monotonic clock.
  ///   - report: Called for each event, in order, on the calling thread. Must not read the configuration itself.
  /// - Throws: `ConfigurationError` for a file that cannot be read or is invalid.
  package init(
    path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    report: @escaping @Sendable (Event) -> Void
  ) throws(ConfigurationError) {
    self.path = path
    self.now = now
    self.report = report
    let file = try ConfigurationBytes.read(path)
    let configuration = try file.map { file throws(ConfigurationError) in try Configuration(toml: file.bytes) }
    let read = configuration ?? Configuration()
    state = Mutex(
      State(
        reading: Reading(configuration: read, started: read, mistake: nil, isThere: file != nil), stamp: file?.stamp,
        readAt: now()))
  }

  /// The settings of the current file, or of its last valid version.
  package func current() -> Configuration { reading().configuration }

  /// The same, with the state of the file.
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
    // Some editors empty or delete a file before they write it. It only counts as intended if it stays so.
    if stamp == nil || stamp?.size == 0, !isSame {
      let vanishedAt = state.vanishedAt ?? now
      state.vanishedAt = vanishedAt
      guard now - vanishedAt >= Self.pause else { return }
    }
    state.vanishedAt = nil
    // If reading fails, the stamp of the check identifies the version, so that the error is reported once.
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
      report(.changed(read))
    } catch {
      let isKnown = isSame && state.reading.mistake == error
      state.reading.mistake = error
      state.reading.isThere = true
      if !isKnown { report(.broken(error)) }
    }
  }
}
