import Wire

/// The result of a call as it goes out: what the method gave, with the state that it shows.
enum Reply {
  /// Splices `clock`, and `changed: false` of a write that found nothing to do, into the object that the method gave.
  static func bytes(of outcome: Outcome) -> [UInt8] {
    guard let clock = outcome.clock, !outcome.givesClock, outcome.output.last == UInt8(ascii: "}") else {
      return outcome.output
    }
    var bytes = outcome.output
    bytes.removeLast()
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    if outcome.isUnchanged { bytes.append(contentsOf: #""changed":false,"#.utf8) }
    bytes.append(contentsOf: #""clock":"#.utf8)
    bytes.append(contentsOf: String(clock).utf8)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
