import Kit
import Wire

/// The type and the lines of a reference in RIS that CSL-JSON has no variable for, such as `M1  - 12`. Like those of an
/// entry of BibTeX (`BibTeXOthers`), they are a member of `custom`:
///
///     "custom": {"ris": {"TY": ["EJOUR"], "M1": ["12"], "C1": ["a", "b"]}}
struct RISOthers {
  private static let member = "ris"
  private static let type = "TY"

  /// The most lines, and the most bytes of one.
  private static let (most, longest) = (64, 4_096)

  private var json: JSONObject

  /// Those that an item has.
  init(of item: CSLItem) { json = item.json["custom"]?[Self.member]?.objectValue ?? [:] }

  /// Those of a reference beside what an item states of it.
  init(of entry: RIS.Entry, beside item: CSLItem) {
    json = [:]
    var count = 0
    func add(_ tag: String, _ value: String) {
      guard count < Self.most, value.utf8.count <= Self.longest, !value.utf8.contains(0) else { return }
      count += 1
      json[tag] = .array((json[tag]?.arrayValue ?? []) + [.string(value)])
    }
    if let type = entry.first(Self.type)?.uppercased(), type != RIS.tag(of: item.type), RIS.type(type) != nil {
      add(Self.type, type)
    }
    // Of tags that mean the same only the first one is read.
    let second = Self.synonyms.flatMap { tags in
      tags.filter { tag in entry.values.contains { $0.tag == tag && $0.value.readable != nil } }.dropFirst()
    }
    for (tag, value) in entry.values where !Self.read.contains(tag) || second.contains(tag) {
      if let value = value.readable { add(tag, value) }
    }
  }

  /// The type of RIS, if it is another one than that of the type of CSL.
  var type: String? { json[Self.type]?.arrayValue?.first?.stringValue }

  /// The other lines.
  var values: [(tag: String, value: String)] {
    let all = json.members.flatMap { member in
      (member.value.arrayValue ?? []).compactMap(\.stringValue).map { (tag: member.key, value: $0) }
    }
    return all.filter { tag, _ in
      tag.wholeMatch(of: /[A-Z][A-Z0-9]/) != nil && (!Self.read.contains(tag) || Self.synonyms.joined().contains(tag))
    }.prefix(Self.most).map { ($0.tag, $0.value) }
  }

  /// An item with them, unless it would be too long.
  func added(to item: CSLItem) -> CSLItem {
    if json.isEmpty { return item }
    var whole = item
    whole.json["custom"] = .object([Self.member: .object(json)])
    return JSONWriter.bytes(of: .object(whole.json)).count <= CSLItem.longest ? whole : item
  }

  private static let synonyms = [["TI", "T1", "CT"], ["JO", "JF", "T2", "BT", "JA"], ["AB", "N2"], ["UR", "L2"]]

  /// The tags that are read, and those of files.
  private static let read = Set(synonyms.joined()).union(RIS.written.map(\.tag)).union([
    "TY", "ER", "ID", "ST", "AU", "A1", "ED", "A2", "A3", "A4", "T3", "DA", "PY", "Y1", "SP", "EP", "N1", "SN", "KW",
    "L1",
  ])
}
