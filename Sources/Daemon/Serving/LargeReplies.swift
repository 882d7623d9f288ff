import DequeModule

/// Who of a client's fetches may make a reply of megabytes: one after the other, and only while little is unsent. A client
/// that asks for sixty pictures in their replies and reads none would otherwise have all of them in the daemon's memory.
final class LargeReplies {
  private var waiting: Deque<(number: Int, admitted: CheckedContinuation<Void, Never>)> = []
  private var making: Int?

  func add(_ number: Int, _ admitted: CheckedContinuation<Void, Never>) {
    waiting.append((number, admitted))
  }

  func admitNext(hasRoom: Bool) {
    guard making == nil, hasRoom, let next = waiting.popFirst() else { return }
    making = next.number
    next.admitted.resume()
  }

  /// The call is answered, or stopped; whoever waits for its turn is let go, to see that it was stopped.
  func release(_ number: Int) {
    if making == number { making = nil }
    while let index = waiting.firstIndex(where: { $0.number == number }) {
      waiting.remove(at: index).admitted.resume()
    }
  }
}
