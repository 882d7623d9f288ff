import Synchronization

/// Lets an idle step give way to clients that read.
///
/// A person who types sends one query after the other. An idle step that ran between two of them would share the processor
/// with the second, and each of its commits makes the readers' page caches invalid. But no client delays the step for ever:
/// after `mostYields` turns in a row the step runs.
final class Courtesy: Sendable {
  /// In turns; with the pause of a usual step they are two seconds.
  static let mostYields = 40

  private let asked: @Sendable () -> Int
  private let last = Mutex<(asked: Int, times: Int)>((0, 0))

  /// - Parameter asked: the number of reads that have begun so far.
  init(asked: @escaping @Sendable () -> Int) {
    self.asked = asked
  }

  /// Called once at the begin of each turn. True when a read has begun since the turn before, and the step should wait.
  func yields() -> Bool {
    let asked = asked()
    return last.withLock { last in
      let yields = asked != last.asked && last.times < Self.mostYields
      last = (asked, yields ? last.times + 1 : 0)
      return yields
    }
  }
}
