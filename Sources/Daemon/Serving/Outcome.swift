import Store

/// The result of a call, before it is encoded as a reply.
struct Outcome: Sendable {
  /// The encoded result (JSON).
  var output: [UInt8]
  /// The clock of its snapshot; nil if it shows no data of the library.
  var clock: Int64?
  /// Whether `output` already has a member `clock`.
  var givesClock = false
  /// Whether it is a write without any change.
  var isUnchanged = false
}

extension Outcome {
  init(_ write: WriteOutcome) {
    self.init(output: write.output, clock: write.clock, isUnchanged: !write.changed)
  }
}
