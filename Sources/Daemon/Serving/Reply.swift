import Wire

/// The reply to a call: the method's result with the clock of its snapshot.
enum Reply {
  /// Inserts `clock`, and `changed: false` for a write without any change, into the method's object. A result that counts
  /// what it changed has a member `changed` of its own.
  static func bytes(id: RequestID, _ outcome: Outcome) -> [UInt8] {
    let output = outcome.output
    guard let clock = outcome.clock, !outcome.givesClock, output.last == UInt8(ascii: "}") else {
      return MessageBytes.result(id: id, output)
    }
    return MessageBytes.result(id: id, size: output.count + 48) { json in
      json.write(raw: output.dropLast())
      if outcome.isUnchanged, (try? JSONParser.parse(output))?["changed"] == nil { json.member("changed", false) }
      json.member("clock", clock)
      json.endObject()
    }
  }
}
