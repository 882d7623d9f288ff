/// A message with a number that no double can represent, such as `1e400`. Everything else in it can be parsed, so the
/// request gets an error under its id, with the path of the number: with a null id the client would not know which of
/// its requests has failed.
extension Frame {
  /// Nil if there is no request to refuse, or the text is not JSON for another reason too.
  init?(withTooLargeNumber bytes: some ContiguousBytesView) {
    guard let value = try? JSONParser.parse(bytes, takingInfinity: true) else { return nil }
    let ids = WrittenIDs(of: value, in: bytes)
    switch value {
    case .array(let elements) where !elements.isEmpty && elements.count <= Self.maximumBatch:
      self = .batch(
        elements.indices.map { index in
          let element = elements[index]
          let message = Message(sorting: element, id: ids[index])
          if let refused = message.refusingInfinity { return refused }
          guard let path = element.infinitePath(.root) else { return message }
          return .invalid(id: nil, .tooLargeNumber(at: path))
        })
    case .array: return nil
    default:
      guard let refused = Message(sorting: value, id: ids[0]).refusingInfinity else { return nil }
      self = .single(refused)
    }
  }
}

extension Message {
  /// The error for a request with such a number in its params; nil for all other messages.
  fileprivate var refusingInfinity: Message? {
    guard case .request(let id, _, let params) = self, let path = params.infinitePath(.root) else { return nil }
    if case .number(let number, _) = id, number.isInfinite { return nil }
    return .invalid(id: id, .tooLargeNumber(at: path))
  }
}

extension JSONValue {
  /// The path of the first infinite number.
  fileprivate func infinitePath(_ path: JSONPath) -> JSONPath? {
    switch self {
    case .number(let number): return number.isInfinite ? path : nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = element.infinitePath(.element(path, index)) { return found }
      }
    case .object(let object):
      for member in object.members {
        if let found = member.value.infinitePath(.field(path, member.key)) { return found }
      }
    default: break
    }
    return nil
  }
}
