/// The author of dots and files: 8 random bytes.
///
/// A writer is one run of one library on one machine. It is replaced when any of these differs (`WriterIdentity`), so
/// that a library or disk that was restored never reuses a number.
package struct WriterID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  /// - Parameter text: 16 lower-case hexadecimal digits; nil for any other text.
  package init?(_ text: some StringProtocol) {
    guard let number = UInt64(digits: text, count: 16) else { return nil }
    self.number = number
  }

  /// `00000000000a41ff`
  package var description: String { number.digits(16) }

  package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

/// The identity of a write: its writer, and a number that this writer never uses twice.
package struct Dot: Hashable, Comparable, Sendable {
  package var writer: WriterID
  /// The library's clock when the write was absorbed; positive.
  package var number: Int64

  package init(_ writer: WriterID, _ number: Int64) { (self.writer, self.number) = (writer, number) }

  package static func < (one: Self, other: Self) -> Bool {
    (one.writer, one.number) < (other.writer, other.number)
  }
}

/// The dots that were seen: the highest number of each writer.
package struct VersionVector: Hashable, Sendable {
  package private(set) var highest: [WriterID: Int64] = [:]

  package init() {}

  package init(_ dots: some Sequence<Dot>) {
    for dot in dots { insert(dot) }
  }

  package var isEmpty: Bool { highest.isEmpty }

  package func covers(_ dot: Dot) -> Bool { dot.number <= highest[dot.writer] ?? 0 }

  package func covers(_ other: VersionVector) -> Bool {
    other.highest.allSatisfy { $0.value <= highest[$0.key] ?? 0 }
  }

  package mutating func insert(_ dot: Dot) {
    highest[dot.writer] = max(highest[dot.writer] ?? 0, dot.number)
  }

  package mutating func join(_ other: VersionVector) {
    for (writer, number) in other.highest { insert(Dot(writer, number)) }
  }

  /// By writer.
  package var dots: [Dot] { highest.map { Dot($0.key, $0.value) }.sorted() }
}

extension UInt64 {
  /// - Returns: nil unless the text consists of exactly `count` lower-case hexadecimal digits.
  init?(digits text: some StringProtocol, count: Int) {
    guard text.utf8.count == count else { return nil }
    var value: UInt64 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    self = value
  }

  func digits(_ count: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}
