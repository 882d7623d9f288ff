import Wire

/// A member of an object of texts as an element of a set: `["correspondent","ACME"]`.
struct SyncedMember {
  let name: String
  let value: String

  init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// Nil for an element that no version of ours writes.
  init?(_ element: String) {
    guard let pair = (try? JSONParser.parse(element))?.arrayValue, pair.count == 2, let name = pair[0].stringValue,
      let value = pair[1].stringValue
    else { return nil }
    self.init(name: name, value: value)
  }

  var element: String { JSONValue.array([.string(name), .string(value)]).description }

  /// The elements of an object, in the order of their names; none for what is no object of texts.
  static func elements(of json: JSONValue?) -> JSONValue {
    let members = (json?.objectValue?.members ?? []).compactMap { member in
      member.value.stringValue.map { SyncedMember(name: member.key, value: $0) }
    }
    return .array(members.sorted { $0.name < $1.name }.map { .string($0.element) })
  }

  /// The object of elements; nil for none.
  static func object(of elements: JSONValue?) -> JSONValue? {
    let members = (elements?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { SyncedMember($0) } }
    if members.isEmpty { return nil }
    return .object(JSONObject(members.map { JSONObject.Member(key: $0.name, value: .string($0.value)) }))
  }
}

/// The members of a field, of which several may have one name.
struct SyncedMembers {
  typealias Head = (member: SyncedMember, dot: Dot)

  /// By name, the shown one last.
  private var heads: [String: [Head]] = [:]

  /// - Parameter elements: in the order by which the last is the shown one.
  init(_ elements: [(element: ByteKey, order: ElementOrder)]) {
    for (element, order) in elements {
      guard let member = SyncedMember(element.text) else { continue }
      heads[member.name, default: []].append((member, order.dot))
    }
  }

  /// The elements that are shown, in the order of their names.
  ///
  /// - Parameter isFormer: whether of several members with one name the one before the shown one is meant.
  private func elements(isFormer: Bool) -> JSONValue {
    let members = heads.values.compactMap { isFormer && $0.count > 1 ? $0[$0.count - 2] : $0.last }
    return .array(members.sorted { $0.member.name < $1.member.name }.map { .string($0.member.element) })
  }

  /// Nil for none.
  var shown: JSONValue? { heads.isEmpty ? nil : elements(isFormer: false) }

  /// The values of a conflict, the shown one last, with their dots; nil if each member has one value.
  var conflict: (dots: [Dot], values: [JSONValue])? {
    let several = heads.values.filter { $0.count > 1 }
    guard let former = several.map({ $0[$0.count - 2].dot }).max(), let dot = several.compactMap(\.last?.dot).max()
    else { return nil }
    return ([former, dot], [elements(isFormer: true), elements(isFormer: false)])
  }
}
