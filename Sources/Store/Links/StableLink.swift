/// A link to something in the library that any text may contain: `commonplace:/documents/0192#page=3`.
///
/// It contains the collection and the item's id, which do not change, and optionally a fragment for a place within the
/// item. Links are URIs (RFC 3986) without an authority, since libraries have no host name. Ids need no quoting.
package struct StableLink: Equatable, Sendable {
  /// The scheme that the protocol reserves for them.
  package static let scheme = "commonplace"

  package var collection: String
  package var item: String
  /// The parts of the fragment, `name=value` joined by `&`, in their order.
  package var places: [Place] = []

  package struct Place: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  package init(collection: String, item: String, places: [Place] = []) {
    (self.collection, self.item, self.places) = (collection, item, places)
  }

  package var text: String {
    let fragment = places.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return "\(Self.scheme):/\(collection)/\(item)" + (fragment.isEmpty ? "" : "#" + fragment)
  }
}

extension StableLink {
  /// Parses a link as users paste it: with blanks or the angle brackets of Markdown around it, its scheme in any case,
  /// and also in the form `commonplace:///…`, which many programs treat as the same URI. Nil for anything else.
  package init?(_ text: String) {
    // Most titles in brackets have none, and are distinguished by their bytes.
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    if rest.hasPrefix("<"), rest.hasSuffix(">") { rest = rest.dropFirst().dropLast() }
    guard let colon = rest.firstIndex(of: ":"), rest[..<colon].lowercased() == Self.scheme else { return nil }
    rest = rest[rest.index(after: colon)...]
    if rest.hasPrefix("///") { rest = rest.dropFirst(2) }
    let halves = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves[0].split(separator: "/", omittingEmptySubsequences: false)
    guard path.count == 3, path[0].isEmpty, !path[1].isEmpty, !path[2].isEmpty else { return nil }
    collection = String(path[1])
    item = String(path[2])
    guard halves.count == 2, !halves[1].isEmpty else { return }
    for part in halves[1].split(separator: "&", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex else { return nil }
      places.append(Place(name: String(part[..<equals]), value: String(part[part.index(after: equals)...])))
    }
  }
}
