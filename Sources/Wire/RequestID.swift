/// What ties a reply to its request: chosen by whoever asks, echoed as it was written.
package enum RequestID: Sendable {
  case integer(Int64)
  case number(Double)
  case string(String)

  /// Nil for what JSON-RPC does not take as an id, and for a text with U+0000: that may have been a lone surrogate, and
  /// the echo would not be the id that was sent. `1.0` is the id 1, since no client can tell the two replies apart.
  package init?(_ value: JSONValue) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = Int64(exactly: number).map(RequestID.integer) ?? .number(number)
    case .string(let string) where !string.hasNUL: self = .string(string)
    default: return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    }
  }
}

extension RequestID: Hashable {
  /// Texts are compared by their bytes: to the client that chose them, NFC and NFD are two ids.
  package static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): sameBytes(a, b)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let integer): hasher.combine(integer)
    case .number(let number): hasher.combine(number)
    case .string(var string): string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
