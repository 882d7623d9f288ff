import Wire

/// A string that is compared and hashed by its UTF-8 bytes, for keys: Swift's `==` would merge NFC and NFD.
package struct ByteKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral value: String) { text = value }

  package var description: String { text }

  package static func == (one: Self, other: Self) -> Bool { sameBytes(one.text, other.text) }

  package static func < (one: Self, other: Self) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
