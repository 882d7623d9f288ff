import Wire

/// The answer to a call as it goes out: what the method gave, with the state that it shows.
enum Reply {
  /// Splices `clock`, and `changed: false` of a write that found nothing to do, into the object that the method gave.
  static func bytes(id: RequestID, _ outcome: Outcome) -> [UInt8] {
    let output = outcome.output
    guard let clock = outcome.clock, !outcome.givesClock, output.last == UInt8(ascii: "}") else {
      return MessageBytes.result(id: id, output)
    }
    return MessageBytes.result(id: id, size: output.count + 48) { json in
      json.write(raw: output.dropLast())
      if outcome.isUnchanged { json.member("changed", false) }
      json.member("clock", clock)
      json.endObject()
    }
  }
}
