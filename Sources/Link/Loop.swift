import NIOCore
import NIOPosix

/// A thread that serves the connections given to it, one event after the other.
///
/// All state of a connection belongs to its loop, so it needs no lock; whatever comes from another thread comes
/// through `execute`. It wraps NIO's event loop so that nothing outside of Link has to know NIO.
package struct Loop: Sendable {
  let eventLoop: any EventLoop

  /// Whether the caller runs on this loop.
  package var isCurrent: Bool { eventLoop.inEventLoop }

  /// Traps when the caller is not on this loop.
  package func preconditionIsCurrent() {
    eventLoop.preconditionInEventLoop()
  }

  /// Runs `body` on the loop, after whatever was handed to it before.
  package func execute(_ body: @escaping @Sendable () -> Void) {
    if !Gathering.take(body, for: self) { eventLoop.execute(body) }
  }

  /// Whatever `body` hands to loops, on this thread, is handed over when it has ended: each loop is woken once.
  package static func gathering(_ body: () -> Void) {
    Gathering.whileRunning(body)
  }

  /// Runs `body` when others have had a turn, those too of whom only their sockets know.
  ///
  /// The loop runs everything that is due, and what that hands to it, before it looks at its sockets again. So `body` is
  /// due a moment later, counted from behind what was handed to the loop before.
  package func executeAfterOthers(_ body: @escaping @Sendable () -> Void) {
    execute { schedule(after: .microseconds(100), body) }
  }

  /// Runs `body` once on the loop when `delay` has passed, unless it is cancelled before.
  @discardableResult
  package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Timer {
    Timer(scheduled: eventLoop.scheduleTask(in: TimeAmount(delay), body))
  }

  package struct Timer: Sendable {
    let scheduled: Scheduled<Void>

    package func cancel() {
      scheduled.cancel()
    }
  }
}

extension Loop: Equatable {
  package static func == (left: Loop, right: Loop) -> Bool { left.eventLoop === right.eventLoop }
}

/// A value that belongs to one loop and may be *carried* anywhere, but touched only there.
///
/// Touching it elsewhere traps.
package struct Confined<Value>: Sendable {
  private let bound: NIOLoopBound<Value>
  package let loop: Loop

  /// Called on `loop`.
  package init(_ value: Value, to loop: Loop) {
    self.bound = NIOLoopBound(value, eventLoop: loop.eventLoop)
    self.loop = loop
  }

  /// The value; on its loop only.
  package var value: Value { bound.value }

  /// Runs `body` with the value on its loop, after whatever was handed to the loop before.
  package func execute(_ body: @escaping @Sendable (Value) -> Void) {
    loop.execute { body(bound.value) }
  }
}

/// The loops of a process.
package struct Loops: Sendable {
  let group: MultiThreadedEventLoopGroup

  /// `count` threads of their own; one a core is what the daemon wants.
  package init(count: Int = System.coreCount) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: count)
  }

  private init(group: MultiThreadedEventLoopGroup) {
    self.group = group
  }

  /// The loops that live as long as the process, for clients that have no others.
  package static let shared = Loops(group: .singleton)

  /// The next loop, in turn.
  package func next() -> Loop { Loop(eventLoop: group.next()) }

  /// Every loop once.
  package var all: [Loop] { group.makeIterator().map { Loop(eventLoop: $0) } }

  /// Ends the threads; not for `shared`, which never ends. Connections on them must have been closed before.
  package func shutdown() async throws {
    try await group.shutdownGracefully()
  }
}
