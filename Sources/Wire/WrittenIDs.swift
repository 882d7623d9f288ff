/// The texts of numeric ids. A tree of values only has the value of a number, but the reply must repeat its digits; so
/// if an id is a number that may have been written in several ways, the frame is parsed again.
struct WrittenIDs {
  /// The id of the message, or of each member of the batch.
  private let texts: [String?]

  /// - Parameter value: the parsed bytes.
  init(of value: JSONValue, in bytes: some ContiguousBytesView) {
    let messages = value.arrayValue ?? [value]
    guard messages.contains(where: Self.isOpen) else {
      texts = []
      return
    }
    texts = (try? JSONParser.idTexts(bytes)) ?? []
  }

  subscript(index: Int) -> String? { texts.indices.contains(index) ? texts[index] : nil }

  /// Whether the value does not determine the text.
  private static func isOpen(_ message: JSONValue) -> Bool {
    guard case .object(let object) = message else { return false }
    return object.members.contains { member in
      guard member.key == "id" else { return false }
      switch member.value {
      case .number: return true
      case .integer(let integer): return integer == 0
      default: return false
      }
    }
  }
}

extension JSONParser {
  /// The text of `id` in a message, or in each member of a batch; for a duplicate the last one. Nil for a message
  /// without an id.
  fileprivate static func idTexts(_ bytes: some ContiguousBytesView) throws(JSONSyntaxError) -> [String?] {
    try bytes.withBytes { buffer throws(JSONSyntaxError) in
      var parser = JSONParser(bytes: buffer)
      parser.takesInfinity = true
      parser.skipBlanks()
      guard parser.take(UInt8(ascii: "[")) else { return [try parser.idText()] }
      var texts: [String?] = []
      repeat {
        parser.skipBlanks()
        texts.append(try parser.idText())
        parser.skipBlanks()
      } while parser.take(UInt8(ascii: ","))
      return texts
    }
  }

  private mutating func idText() throws(JSONSyntaxError) -> String? {
    guard take(UInt8(ascii: "{")) else {
      _ = try parseValue(depth: 1)
      return nil
    }
    var text: String?
    repeat {
      skipBlanks()
      if take(UInt8(ascii: "}")) { return text }
      let key = try parseString()
      skipBlanks()
      _ = take(UInt8(ascii: ":"))
      skipBlanks()
      let start = position
      _ = try parseValue(depth: 2)
      if key == "id" { text = self.text(from: start) }
      skipBlanks()
    } while take(UInt8(ascii: ","))
    _ = take(UInt8(ascii: "}"))
    return text
  }

  /// The text parsed since `start`.
  func text(from start: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }
}
