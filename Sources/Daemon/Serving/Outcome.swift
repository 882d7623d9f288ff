import Store

/// What a call came to, before it is a reply.
struct Outcome: Sendable {
  /// JSON.
  var output: [UInt8]
  /// The state that it shows; nil where it shows none.
  var clock: Int64?
  /// Whether `output` has a member `clock` already.
  var givesClock = false
  /// A write that found nothing to do.
  var isUnchanged = false
}

extension Outcome {
  init(_ write: WriteOutcome) {
    self.init(output: write.output, clock: write.clock, isUnchanged: !write.changed)
  }
}
