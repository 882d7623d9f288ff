import NIOCore
import Synchronization

/// The open connections of other devices, which are counted by themselves: they keep nobody out of the page.
///
/// If there are too many, the oldest one whose requests were all refused makes room: a stranger that holds connections
/// keeps no app out.
final class AppConnections: Sendable {
  private struct State {
    /// The oldest first.
    var strange: [any Channel] = []
    var accepted: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// - Returns: false if too many are connected.
  func add(_ channel: any Channel) -> Bool {
    let (isAdded, oldest) = state.withLock { state -> (Bool, (any Channel)?) in
      var oldest: (any Channel)?
      if state.strange.count + state.accepted.count >= Limits.appConnections {
        guard !state.strange.isEmpty else { return (false, nil) }
        oldest = state.strange.removeFirst()
      }
      state.strange.append(channel)
      return (true, oldest)
    }
    oldest?.close(promise: nil)
    if isAdded { channel.closeFuture.whenComplete { [self] _ in remove(channel) } }
    return isAdded
  }

  /// A request of the connection was accepted.
  func accept(_ channel: any Channel) {
    state.withLock { state in
      guard let place = state.strange.firstIndex(where: { $0 === channel }) else { return }
      state.strange.remove(at: place)
      state.accepted.insert(ObjectIdentifier(channel))
    }
  }

  private func remove(_ channel: any Channel) {
    state.withLock { state in
      state.strange.removeAll { $0 === channel }
      state.accepted.remove(ObjectIdentifier(channel))
    }
  }
}
