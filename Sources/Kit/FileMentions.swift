import SQLite

/// Those of some files that texts name. Each text is walked through once, however many files there are.
package struct FileMentions {
  /// The number of hexadecimal digits of a file's id.
  private static let length = 64
  private static let slash = UInt8(ascii: "/")

  private let ids: Set<String>
  package private(set) var found: Set<String> = []

  package init(of ids: Set<String>) { self.ids = ids }

  /// Looks for the links of files, which end in `/` and the id.
  package mutating func look(in text: UnsafeBufferPointer<UInt8>) {
    var rest = text[...]
    while let slash = rest.firstIndex(of: Self.slash) {
      rest = rest[(slash + 1)...]
      let id = rest.prefix(Self.length)
      guard id.count == Self.length, id.allSatisfy(Self.isDigit) else { continue }
      let name = String(decoding: id, as: UTF8.self)
      if ids.contains(name) { found.insert(name) }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x61...0x66 ~= byte }
}

extension Database {
  /// Those of some files that the texts in the first column of a query name.
  ///
  /// - Throws: `DatabaseError`.
  package func mentions(of ids: Set<String>, in sql: String, _ values: [SQLValue] = []) throws -> Set<String> {
    var mentions = FileMentions(of: ids)
    try each(sql, values) { mentions.look(in: $0.bytes(0)) }
    return mentions.found
  }
}
