import DequeModule

/// Admits a client's fetches that create a reply of megabytes: one after the other, and only while little is unsent.
/// Otherwise a client that requests sixty pictures in replies and reads none would keep all of them in the daemon's
/// memory.
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

  /// Called when the call has its reply or was stopped; a waiting one is resumed, to notice that it was stopped.
  func release(_ number: Int) {
    if making == number { making = nil }
    while let index = waiting.firstIndex(where: { $0.number == number }) {
      waiting.remove(at: index).admitted.resume()
    }
  }
}
