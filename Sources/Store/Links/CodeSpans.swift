/// The code in a Markdown text: between runs of backticks of the same length, and between fences.
package struct CodeSpans {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// For each run length: there is no other run up to this offset. So a text of many backticks is scanned once per
  /// length.
  private var none = [Int](repeating: 0, count: longestRun + 1)

  /// Longer runs are text: they do not occur in practice, and each length costs a scan.
  private static let longestRun = 16

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The offset after the span that begins with these backticks, or after the backticks if no span begins here.
  package mutating func endOfSpan(from start: Int) -> Int {
    let end = runEnd(from: start)
    let length = end - start
    guard length <= Self.longestRun, none[length] <= start else { return end }
    var place = end
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "`"):
        let runStart = place
        place = runEnd(from: place)
        if place - runStart == length { return place }
      case UInt8(ascii: "\n") where isBlankLine(from: place + 1):
        none[length] = place
        return end
      default: place += 1
      }
    }
    none[length] = bytes.count
    return end
  }

  /// The offset after the code block whose fence is the line that begins here; nil for another line. A block without a
  /// closing fence extends to the end of the text.
  package func endOfFence(from line: Int) -> Int? {
    guard let fence = fence(at: line) else { return nil }
    var place = lineEnd(from: fence.end)
    // `` ``` `` followed by other backticks in its line is a span of code.
    if fence.sign == UInt8(ascii: "`"), bytes[fence.end..<place].contains(fence.sign) { return nil }
    while place < bytes.count {
      let line = place + 1
      place = lineEnd(from: line)
      guard let end = self.fence(at: line), end.sign == fence.sign, end.length >= fence.length,
        bytes[end.end..<place].allSatisfy(Self.isBlank)
      else { continue }
      return place
    }
    return place
  }

  private func fence(at line: Int) -> (sign: UInt8, length: Int, end: Int)? {
    var start = line
    while start < bytes.count, start < line + 3, bytes[start] == UInt8(ascii: " ") { start += 1 }
    guard start < bytes.count, [UInt8(ascii: "`"), UInt8(ascii: "~")].contains(bytes[start]) else { return nil }
    let end = runEnd(from: start)
    return end - start >= 3 ? (bytes[start], end - start, end) : nil
  }

  /// The offset after the run of the character at `start`.
  private func runEnd(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] == bytes[start] { end += 1 }
    return end
  }

  private func lineEnd(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
    return end
  }

  private func isBlankLine(from start: Int) -> Bool {
    var place = start
    while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    return place == bytes.count || bytes[place] == UInt8(ascii: "\n")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
