import Glibc
import Synchronization
import Wire

/// The output of an idle connection, lent to the thread that makes the only outstanding reply.
///
/// Waking the loop for that reply takes longer than writing it. So the maker writes it, unless the loop has taken the
/// output back, which it does before it writes or closes anything itself, and before it handles further input:
///
///     maker   lent ──► sending ──► sent          the reply is written; the loop learns of it when it takes the output
///     back
///     loop    lent ──► revoked                   the reply goes through the loop
///     loop    sending: waits, for one call that never blocks
package final class LentOutput: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    case lent
    case sending
    case sent
    case revoked
  }

  /// A socket accepts a message of this size completely or not at all: the kernel only splits larger ones than 32 KiB.
  static let limit = 16 << 10

  private let state = Atomic(State.lent)
  private let socket: SharedSocket
  private let framing: Framing

  init(_ socket: SharedSocket, framing: Framing) {
    self.socket = socket
    self.framing = framing
  }

  /// Writes the reply, from any thread. Returns false if it must go through the loop.
  package func send(_ reply: [UInt8]) -> Bool {
    guard reply.count <= Self.limit, exchange(.lent, for: .sending) else { return false }
    let isSent = socket.send(framing.frame(reply))
    // After a failed write the loop sends the reply, since it can wait.
    state.store(isSent ? .sent : .revoked, ordering: .releasing)
    return isSent
  }

  /// Ends the loan, on the loop. Returns true if the reply was written.
  func takeBack() -> Bool {
    while !exchange(.lent, for: .revoked) {
      switch state.load(ordering: .acquiring) {
      case .sent: return true
      case .revoked: return false
      case .lent, .sending: sched_yield()
      }
    }
    return false
  }

  private func exchange(_ old: State, for new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// A duplicate of a connection's socket descriptor, which stays open while any thread may still write: the channel's
/// own is closed on the loop, and its number may be reused for another file immediately.
final class SharedSocket: Sendable {
  private let descriptor: Int32

  /// Nil if no descriptor is available.
  init?(duplicating descriptor: Int32) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if self.descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Returns true if the kernel has accepted all bytes, false if it accepted none.
  func send(_ bytes: [UInt8]) -> Bool {
    let sent = Glibc.send(descriptor, bytes, bytes.count, sendFlags)
    if sent > 0, sent < bytes.count {
      // A peer that got part of a message must not get another one after it.
      Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
      return true
    }
    return sent == bytes.count
  }
}

/// A closed peer is an error of this write, not a signal to the process.
let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
