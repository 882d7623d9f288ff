import Contract
import Kit
import Store
import Synchronization
import Wire

/// Notifies clients of reminders when they are due.
///
///     commit ──► wake ──► what is due now? ──► when is the next one? ──► timer ──► wake
///
/// However many commits arrive during a round, at most one more waits. Each client gets each reminder once: what was due
/// up to `through` when it connects (`connected`), what is due later by the rounds. Both move on in one step, so that
/// none is lost or doubled between them. Without clients there is no round.
final class ReminderWatch: Sendable {
  fileprivate struct State {
    /// The instant up to which the clients have been notified.
    var through: Instant
    var clients: Set<String> = []
    var isFollowing = false
    var isEnded = false
    /// A round is waiting to begin.
    var isWoken = false
    var last: Task<Void, Never>?
    var timer: (at: Instant, task: Task<Void, Never>)?
  }

  /// The longest wait without reading the clock, which may be set, or jump while the computer sleeps. The library is not
  /// read for that.
  private static let longest: Int64 = 30_000
  /// A clock that was set back by more milliseconds than this reminds again from there on.
  private static let tolerance: Int64 = 60_000

  private let state: Mutex<State>

  init(_ services: Services) {
    state = Mutex(State(through: services.now()))
  }

  /// The notification for a client that is notified from now on: what is due already.
  ///
  /// - Throws: `DatabaseError`.
  func connected(_ client: String, in snapshot: Snapshot) throws -> [Notice] {
    let services = snapshot.services
    let (through, isFirst) = state.withLock { state in
      // With nobody to notify, there were no rounds.
      if state.clients.isEmpty { state.through = max(state.through, services.now()) }
      state.clients.insert(client)
      defer { state.isFollowing = true }
      return (state.through, !state.isFollowing)
    }
    if isFirst {
      services.library.follow { [weak services] in
        guard let services else { return }
        services.reminderWatch.wake(services)
      }
    }
    wake(services)
    return try DidRemind.notice(ReminderTimes(in: snapshot).due(after: nil, through: through)).map { [$0] } ?? []
  }

  func disconnected(_ client: String) {
    state.withLock { state in
      state.clients.remove(client)
      if state.clients.isEmpty { state.setTimer(nil) }
    }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      state.setTimer(nil)
    }
  }

  /// Something may be due, or sooner than was thought. Only hands on: it is called on the writer's thread.
  private func wake(_ services: Services) {
    state.withLock { state in
      guard !state.isEnded, !state.clients.isEmpty, !state.isWoken else { return }
      state.isWoken = true
      let previous = state.last
      state.last = Task { [self] in
        await previous?.value
        await round(with: services)
      }
    }
  }

  private func round(with services: Services) async {
    // From here on a commit may not be seen by this round, and wakes the next.
    let (isEnded, from) = state.withLock { state in
      state.isWoken = false
      return (state.isEnded || state.clients.isEmpty, state.through)
    }
    if isEnded { return }
    let now = services.now()
    do {
      let (due, next) = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
        let times = try ReminderTimes(in: snapshot)
        return (try times.due(after: from, through: now), try times.coming(after: now, limit: 1).first?.at)
      }
      let notice = try DidRemind.notice(due)
      let clients = state.withLock { state -> Set<String> in
        setTimer(next, with: services, &state)
        // All clients left meanwhile, and those that connected since have been notified of what was due.
        guard state.through == from else { return [] }
        if now > from || now.adding(milliseconds: Self.tolerance) < from { state.through = now }
        return state.clients
      }
      if let notice { for client in clients { services.library.send(notice, to: client) } }
    } catch {
      services.log("reminders are delayed: \(error)", as: .warning)
      state.withLock { setTimer(now.adding(milliseconds: Self.longest), with: services, &$0) }
    }
  }

  /// Begins the next round at an instant.
  private func setTimer(_ next: Instant?, with services: Services, _ state: inout State) {
    guard let next, !state.isEnded, !state.clients.isEmpty else { return state.setTimer(nil) }
    // Most commits concern no reminder.
    if state.timer?.at == next { return }
    let (now, pause) = (services.now, services.pause)
    state.setTimer(
      (
        next,
        Task { [weak services] in
          while now() < next, !Task.isCancelled {
            await pause(.milliseconds(min(next.milliseconds - now().milliseconds, Self.longest)))
          }
          guard !Task.isCancelled, let services else { return }
          services.reminderWatch.wake(services)
        }
      ))
  }
}

extension ReminderWatch.State {
  fileprivate mutating func setTimer(_ timer: (at: Instant, task: Task<Void, Never>)?) {
    self.timer?.task.cancel()
    self.timer = timer
  }
}

extension Services {
  var reminderWatch: ReminderWatch { memory.object(ReminderWatch.self) { ReminderWatch(self) } }
}
