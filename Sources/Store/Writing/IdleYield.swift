import Synchronization

/// Lets an idle step yield to clients that read.
///
/// A user who types sends one query after another. An idle step between two of them would compete with the second for
/// the processor, and each of its commits invalidates the readers' page caches. But no client delays the step for ever:
/// after `mostYields` consecutive turns the step runs.
final class IdleYield: Sendable {
  /// In turns; two seconds with the pause of a typical step.
  static let mostYields = 40

  private let asked: @Sendable () -> Int
  private let last = Mutex<(asked: Int, times: Int)>((0, 0))

  /// - Parameter asked: returns the number of reads begun so far.
  init(asked: @escaping @Sendable () -> Int) {
    self.asked = asked
  }

  /// Called once at the beginning of each turn. True if a read has begun since the previous turn, and the step should
  /// wait.
  func yields() -> Bool {
    let asked = asked()
    return last.withLock { last in
      let yields = asked != last.asked && last.times < Self.mostYields
      last = (asked, yields ? last.times + 1 : 0)
      return yields
    }
  }
}
