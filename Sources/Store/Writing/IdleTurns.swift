/// When each of the things is done that a queue does while nothing comes.
///
/// They have their turns in their order, each so long after the one before it. One that is to be tried again holds back none
/// of those behind it; and once it is done these have their turns anew, since it may have left them something.
struct IdleTurns {
  let steps: [WriteQueue.IdleStep]
  /// Nil for what is done.
  private var times: [ContinuousClock.Instant?]

  /// - Parameter steps: as they are when something was written just now.
  init(_ steps: [WriteQueue.IdleStep]) {
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

  /// Which is next, and when; nil when all are done.
  var next: (place: Int, time: ContinuousClock.Instant)? {
    times.indices.compactMap { place in times[place].map { (place: place, time: $0) } }.min { $0.time < $1.time }
  }

  /// What its step returned.
  mutating func note(_ place: Int, isDone: Bool) {
    if isDone {
      times[place] = nil
      begin(from: place + 1)
    } else {
      times[place] = .now + steps[place].after
    }
  }
}
