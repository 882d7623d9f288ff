/// What ties a reply to its request: chosen by whoever asks, echoed as it was written.
package enum RequestID: Sendable {
  case integer(Int64)
  /// A number that is written in another way than an `integer` is, such as `1.50`, `-0`, or one beyond 64 bits: what it
  /// is worth, and its text, which the reply repeats.
  case number(Double, written: String)
  case string(String)

  /// Nil for what JSON-RPC does not take as an id, and for a text with U+0000: that may have been a lone surrogate, and
  /// the echo would not be the id that was sent. A number is written as we write its value.
  package init?(_ value: JSONValue) {
    self.init(value, written: nil)
  }

  /// - Parameter written: the text of a number, where it is known.
  init?(_ value: JSONValue, written: @autoclosure () -> String?) {
    switch value {
    case .integer(let integer):
      // Zero is the one value with two texts of digits alone.
      if integer == 0, let text = written(), text != "0" {
        self = .number(-0.0, written: text)
      } else {
        self = .integer(integer)
      }
    case .number(let number):
      if let text = written() {
        self = .number(number, written: text)
      } else if let integer = Int64(exactly: number) {
        self = .integer(integer)
      } else {
        self = .number(number, written: String(decoding: JSONWriter.bytes(of: value), as: UTF8.self))
      }
    case .string(let string) where !string.hasNUL: self = .string(string)
    default: return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .integer(let integer): .integer(integer)
    case .number(let number, _): .number(number)
    case .string(let string): .string(string)
    }
  }

  /// Writes it as it was written.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .integer(let integer): writer.write(integer: integer)
    case .number(_, let text): writer.write(raw: Array(text.utf8))
    case .string(let string): writer.write(string: string)
    }
  }
}

extension RequestID: Hashable {
  /// Numbers are compared by what they are worth as doubles, whatever their texts: most clients take the replies to `1`
  /// and `1.0` for the same, and a cancel may write a number in another way than its request did. Texts are compared by
  /// their bytes: to the client that chose them, NFC and NFD are two ids.
  package static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a, _), .number(let b, _)): a == b
    case (.integer(let a), .number(let b, _)), (.number(let b, _), .integer(let a)): Int64(exactly: b) == a
    case (.string(let a), .string(let b)): sameBytes(a, b)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let integer): hasher.combine(integer)
    case .number(let number, _):
      if let integer = Int64(exactly: number) { hasher.combine(integer) } else { hasher.combine(number) }
    case .string(var string): string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
