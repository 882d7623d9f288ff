import NIOCore
import NIOPosix

/// A thread that serves the connections assigned to it, one event after the other.
///
/// All state of a connection is confined to its loop, so it needs no lock; other threads use `execute`. It wraps NIO's
/// event loop so that code outside of Link does not depend on NIO.
package struct Loop: Sendable {
  let eventLoop: any EventLoop

  /// Traps if the caller is not on this loop.
  package func preconditionIsCurrent() {
    eventLoop.preconditionInEventLoop()
  }

  /// Runs `body` on the loop, after all closures scheduled before.
  package func execute(_ body: @escaping @Sendable () -> Void) {
    if !WakeupBatch.take(body, for: self) { eventLoop.execute(body) }
  }

  /// Closures that `body` schedules on loops, on this thread, are submitted after it returns: each loop is woken once.
  package static func batchingWakeups(_ body: () -> Void) {
    WakeupBatch.whileRunning(body)
  }

  /// Runs `body` after other connections have had a turn, including those with pending socket input.
  ///
  /// The loop runs everything that is due, and everything that this schedules, before it polls its sockets again. So
  /// `body` is scheduled a moment later, after all closures scheduled before.
  package func executeAfterOthers(_ body: @escaping @Sendable () -> Void) {
    execute { schedule(after: .microseconds(100), body) }
  }

  /// Runs `body` once on the loop after `delay`, unless it is cancelled before.
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

/// A value that is confined to one loop: it may be passed to any thread, but used only on its loop. Use on another
/// thread traps.
package struct Confined<Value>: Sendable {
  private let bound: NIOLoopBound<Value>
  package let loop: Loop

  /// Called on `loop`.
  package init(_ value: Value, to loop: Loop) {
    self.bound = NIOLoopBound(value, eventLoop: loop.eventLoop)
    self.loop = loop
  }

  /// The value; only on its loop.
  package var value: Value { bound.value }

  /// Runs `body` with the value on its loop, after all closures scheduled before.
  package func execute(_ body: @escaping @Sendable (Value) -> Void) {
    loop.execute { body(bound.value) }
  }
}

/// The loops of a process.
package struct Loops: Sendable {
  let group: MultiThreadedEventLoopGroup

  /// Creates `count` threads; the daemon uses one per core.
  package init(count: Int = System.coreCount) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: count)
  }

  private init(group: MultiThreadedEventLoopGroup) {
    self.group = group
  }

  /// Loops that live as long as the process, for clients without their own.
  package static let shared = Loops(group: .singleton)

  /// The next loop, round-robin.
  package func next() -> Loop { Loop(eventLoop: group.next()) }

  /// All loops.
  package var all: [Loop] { group.makeIterator().map { Loop(eventLoop: $0) } }

  /// Ends the threads; not for `shared`, which never ends. Their connections must have been closed before.
  ///
  /// - Throws: the error of a loop that cannot be ended.
  package func shutdown() async throws {
    try await group.shutdownGracefully()
  }
}
