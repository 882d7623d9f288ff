import Wire

/// A result that is whatever JSON the method makes, such as a document of another specification.
extension JSONValue: Payload {
  package static var example: JSONValue { .null }
  package static var fields: [String: String] { [:] }
}
