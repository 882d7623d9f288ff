/// The SHA-256 that names a blob: 64 digits of lower-case hexadecimal. Only such a text becomes part of a path, so no
/// row of an external library can refer to a file outside its folder.
package struct BlobHash: Hashable, Sendable {
  package let text: String

  /// `nil` for any other text.
  package init?(_ text: String) {
    let isHash =
      text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
    guard isHash else { return nil }
    self.text = text
  }
}
