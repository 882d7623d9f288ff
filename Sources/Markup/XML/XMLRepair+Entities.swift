/// Entities that a document declares itself: `<!ENTITY co "Example &amp; Co">`. References are replaced by their text.
/// Entities that refer to others, external ones and long ones are ignored, and the total expansion is bounded.
extension XMLRepair {
  static let entityLimit = 256
  /// In bytes of a declaration's value.
  private static let valueLimit = 1_024
  /// In bytes that all references of a document add.
  private static let expansionLimit = 1 << 20

  /// Parses a declaration at `<!ENTITY`, and stops after its value. Of other declarations it skips only the beginning.
  mutating func readEntity() {
    place += 8
    skipBlanks()
    let name = readName()
    skipBlanks()
    // Parameter entities (`%`) and external ones (`SYSTEM`) have no quote here.
    guard !name.isEmpty, place < source.count, source[place] == UInt8(ascii: "\"") || source[place] == UInt8(ascii: "'")
    else { return }
    let quote = source[place]
    let start = place + 1
    place = start
    while place < source.count, source[place] != quote { place += 1 }
    let value = start..<place
    place = min(place + 1, source.count)
    guard value.count <= Self.valueLimit, entities.count < Self.entityLimit else { return }
    let key = Array(source[name])
    // The first declaration of a name wins (XML, 4.2).
    if entities[key] == nil { entities[key] = escaped(value) }
  }

  /// Writes the text of the entity that is referenced at an ampersand; nil if it is not declared.
  mutating func expand(at start: Int, end: Int, isWritten: Bool) -> Int? {
    guard !entities.isEmpty else { return nil }
    var stop = start + 1
    while stop < end, isNamePart(source[stop]) { stop += 1 }
    guard stop < end, source[stop] == UInt8(ascii: ";"), let text = entities[Array(source[start + 1..<stop])],
      expanded + text.count <= Self.expansionLimit
    else { return nil }
    if isWritten {
      expanded += text.count
      result += text
    }
    return stop + 1 - start
  }

  /// A declared value as text of an element or attribute; nil if it refers to an entity.
  private func escaped(_ value: Range<Int>) -> [UInt8]? {
    var text: [UInt8] = []
    var index = value.lowerBound
    while index < value.upperBound {
      switch source[index] {
      case UInt8(ascii: "&"):
        let reference = CharacterReference.read(source, at: index, end: value.upperBound)
        let isNamed = reference.scalar == nil && index + 1 < value.upperBound && isNameStart(source[index + 1])
        guard !isNamed else { return nil }
        reference.write(into: &text)
        index += reference.count
        continue
      case UInt8(ascii: "<"): text += "&lt;".utf8
      case UInt8(ascii: ">"): text += "&gt;".utf8
      case UInt8(ascii: "\""): text += "&quot;".utf8
      case let byte: if !isForbidden(index) { text.append(byte) }
      }
      index += 1
    }
    return text
  }
}
