/// The members of a JSON object in the order in which they were written.
///
/// Objects of this protocol are small, so look-up is a scan. A key written twice means the last one, as in
/// JavaScript; keys are compared by their UTF-8 bytes.
public struct JSONObject: Sendable {
  package struct Member: Sendable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var members: [Member]

  package init(_ members: [Member] = []) {
    self.members = members
  }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }
  package var keys: [String] { members.map(\.key) }

  /// Setting `nil` takes the member out; a new key goes to the end.
  package subscript(key: String) -> JSONValue? {
    get {
      members.last { sameBytes($0.key, key) }?.value
    }
    set {
      guard let newValue else {
        members.removeAll { sameBytes($0.key, key) }
        return
      }
      if let index = members.lastIndex(where: { sameBytes($0.key, key) }) {
        members[index].value = newValue
      } else {
        members.append(Member(key: key, value: newValue))
      }
    }
  }

  mutating func append(_ member: Member) {
    // Few objects have only one member, and to grow from one to two to four costs more than the room.
    if members.isEmpty { members.reserveCapacity(4) }
    members.append(member)
  }
}

extension JSONObject: Equatable {
  /// Objects are equal when they map the same keys to the same values, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    // Not by counting members: a key that is written twice counts once.
    left.keys.allSatisfy { left[$0] == right[$0] } && right.keys.allSatisfy { left[$0] != nil }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
