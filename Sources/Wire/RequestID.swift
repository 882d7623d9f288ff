/// What ties a reply to its request: chosen by whoever asks, echoed as it was written.
package enum RequestID: Hashable, Sendable {
  case integer(Int64)
  case number(Double)
  case string(String)

  /// `nil` for what JSON-RPC does not take as an id.
  package init?(_ value: JSONValue) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .string(let string): self = .string(string)
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
