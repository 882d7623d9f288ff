import Glibc
import Synchronization
import Wire

/// The output of a quiet connection, lent to the thread that makes the one reply which the peer waits for.
///
/// To wake the loop for that reply takes longer than to write it. So who made it writes it, unless the loop has taken
/// the output back, which it does before it writes or closes anything itself, and when there is more to be handled:
///
///     maker   lent ──► sending ──► sent          the reply has left; the loop hears of it when it takes the output back
///     loop    lent ──► takenBack                 the reply goes through the loop
///     loop    sending: waits, for one call that never blocks
package final class LentOutput: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    case lent
    case sending
    case sent
    case takenBack
  }

  /// A socket takes a message of this size as one piece or not at all: the kernel cuts only what is larger than 32 KiB.
  static let limit = 16 << 10

  private let state = Atomic(State.lent)
  private let socket: SharedSocket
  private let framing: Framing

  init(_ socket: SharedSocket, framing: Framing) {
    self.socket = socket
    self.framing = framing
  }

  /// Writes the reply, from any thread. False when it must go through the loop.
  package func send(_ reply: [UInt8]) -> Bool {
    guard reply.count <= Self.limit, exchange(.lent, for: .sending) else { return false }
    let isSent = socket.send(framing.frame(reply))
    // Whoever did not get rid of it has the loop do it, which knows how to wait.
    state.store(isSent ? .sent : .takenBack, ordering: .releasing)
    return isSent
  }

  /// Ends the loan, on the loop. True when the reply was written.
  func takeBack() -> Bool {
    while !exchange(.lent, for: .takenBack) {
      switch state.load(ordering: .acquiring) {
      case .sent: return true
      case .takenBack: return false
      case .lent, .sending: sched_yield()
      }
    }
    return false
  }

  private func exchange(_ old: State, for new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// A second descriptor of a connection's socket, which stays open while anybody may still write: the channel's own is
/// closed on the loop, and its number might be another file's a moment later.
final class SharedSocket: Sendable {
  private let descriptor: Int32

  /// Nil when no descriptor is left.
  init?(duplicating descriptor: Int32) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if self.descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// True when the kernel has taken all bytes, false when it took none.
  func send(_ bytes: [UInt8]) -> Bool {
    let sent = Glibc.send(descriptor, bytes, bytes.count, sendFlags)
    if sent > 0, sent < bytes.count {
      // A peer that got half a message must not get another one behind it.
      Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
      return true
    }
    return sent == bytes.count
  }
}

/// A peer that has gone is an error of this write and no signal to the whole process.
let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
