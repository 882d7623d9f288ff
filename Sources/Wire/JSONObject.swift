/// The members of a JSON object in their original order.
///
/// Objects of this protocol are small, so lookup is a linear scan. For a duplicate key the last one counts, as in
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

  /// Setting `nil` removes the member; a new key is appended.
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
    // Few objects have only one member, and growing from one to two to four costs more than the memory.
    if members.isEmpty { members.reserveCapacity(4) }
    members.append(member)
  }
}

extension JSONObject: Equatable {
  /// Objects are equal if they map the same keys to the same values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    // Member counts are not compared, since a duplicate key counts once.
    left.keys.allSatisfy { left[$0] == right[$0] } && right.keys.allSatisfy { left[$0] != nil }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
