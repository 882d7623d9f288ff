/// Identifies a request and its reply: chosen by the sender, echoed unchanged.
package enum RequestID: Sendable {
  case integer(Int64)
  /// A number with another text than an `integer`, such as `1.50`, `-0`, or one beyond 64 bits: its value, and its
  /// text, which the reply repeats.
  case number(Double, written: String)
  case string(String)

  /// Nil for a value that JSON-RPC does not allow as an id, and for a text with U+0000: it may have been a lone
  /// surrogate, and the echo would differ from the id that was sent. A number gets the text that we would write for its
  /// value.
  package init?(_ value: JSONValue) {
    self.init(value, written: nil)
  }

  /// - Parameter written: the original text of a number, if known.
  init?(_ value: JSONValue, written: @autoclosure () -> String?) {
    switch value {
    case .integer(let integer):
      // Zero is the only value with two texts that consist of digits alone.
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

  /// Writes the id with its original text.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .integer(let integer): writer.write(integer: integer)
    case .number(_, let text): writer.write(raw: Array(text.utf8))
    case .string(let string): writer.write(string: string)
    }
  }
}

extension RequestID: Hashable {
  /// Numbers are compared by their value as doubles, whatever their texts: most clients treat replies to `1` and `1.0`
  /// as the same, and a cancellation may write a number in another way than its request did. Texts are compared by
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
