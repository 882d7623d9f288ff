/// Parses a frame that is one plain call, as nearly all are, directly into a message.
///
/// A call has four members with known names. Creating texts for those and a tree of the whole, and looking them up in
/// it, takes longer than the reply to many a call. Calls with anything unusual use the general parser, which also
/// reports errors: a duplicate or unknown member, an escape in a name, params in an array.
extension JSONParser {
  static func plainCall(_ bytes: some ContiguousBytesView) -> Message? {
    try? bytes.withBytes { buffer throws(JSONSyntaxError) in
      var parser = JSONParser(bytes: buffer)
      return try parser.parseCall()
    }
  }

  private mutating func parseCall() throws(JSONSyntaxError) -> Message? {
    var hasVersion = false
    var id: RequestID?
    var method: String?
    var params: JSONValue?
    skipBlanks()
    guard take(UInt8(ascii: "{")) else { return nil }
    repeat {
      skipBlanks()
      if id == nil, takeKey(#""id""#) {
        let start = position
        id = RequestID(try parseValue(depth: 1), written: text(from: start))
        if id == nil { return nil }
      } else if method == nil, takeKey(#""method""#), isAt(UInt8(ascii: "\"")) {
        method = try parseString()
      } else if params == nil, takeKey(#""params""#), isAt(UInt8(ascii: "{")) {
        params = try parseValue(depth: 1)
      } else if !hasVersion, takeKey(#""jsonrpc""#), take(#""2.0""#) {
        hasVersion = true
      } else {
        return nil
      }
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { return nil }
    skipBlanks()
    guard position == bytes.count, hasVersion, let method else { return nil }
    guard let id else { return .notification(method: method, params: params ?? .null) }
    return .request(id: id, method: method, params: params ?? .null)
  }

  private func isAt(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

  private mutating func takeKey(_ key: StaticString) -> Bool {
    guard take(key) else { return false }
    skipBlanks()
    guard take(UInt8(ascii: ":")) else { return false }
    skipBlanks()
    return true
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
    position += count
    return true
  }
}
