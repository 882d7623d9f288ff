/// Schedules the steps that a queue runs while no job arrives.
///
/// The steps run in order, each a given time after the preceding one. A step that has to be repeated does not delay the
/// following steps; once it is done, these are scheduled again, since it may have left them more work.
struct IdleSchedule {
  /// A step that runs when no job has arrived for `after` following a write. Returns false if it has to be repeated
  /// after the same time.
  typealias Step = (after: Duration, run: @Sendable () -> Bool)

  let steps: [Step]
  /// Nil for a step that is done.
  private var times: [ContinuousClock.Instant?]

  /// - Parameter steps: the steps to run after a write.
  init(_ steps: [Step]) {
    self.steps = steps
    times = steps.map { _ in nil }
    begin(from: 0)
  }

  private mutating func begin(from first: Int) {
    var time = ContinuousClock.now
    for place in steps.indices.dropFirst(first) {
      time += steps[place].after
      times[place] = time
    }
  }

  /// The next step and its time; nil when all are done.
  var next: (place: Int, time: ContinuousClock.Instant)? {
    times.indices.compactMap { place in times[place].map { (place: place, time: $0) } }.min { $0.time < $1.time }
  }

  /// Records the result of a step.
  mutating func note(_ place: Int, isDone: Bool) {
    if isDone {
      times[place] = nil
      begin(from: place + 1)
    } else {
      times[place] = .now + steps[place].after
    }
  }
}
