/// Puts the head of the final answer together from the lines that libcurl passes on, which include those of 1xx answers
/// before it and of trailers after it.
struct HeadParser {
  /// What a line led to.
  enum Step {
    case more
    /// The line was the empty one after the final head.
    case head(ResponseHead)
  }

  /// All header lines of an exchange, in bytes; beyond this the answer is refused. libcurl's own limit is 300 KiB.
  static let limit = 256 << 10

  private var head = ResponseHead()
  private var bytesSeen = 0
  private var isDone = false

  /// Takes one line with its end.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(HTTPFailure) -> Step {
    bytesSeen += line.count
    guard bytesSeen <= Self.limit else { throw .badResponse(reason: "headersTooLong") }
    if isDone { return .more }  // trailers
    let text = String(decoding: line, as: UTF8.self).trimmingEnd()
    if text.hasPrefix("HTTP/") {
      head = ResponseHead()
      let fields = text.split(separator: " ", maxSplits: 2)
      guard fields.count > 1, let status = Int(fields[1]), (100...599).contains(status) else {
        throw .badResponse(reason: "statusLine")
      }
      head.status = status
    } else if text.isEmpty {
      guard head.status >= 200 else { return .more }
      isDone = true
      return .head(head)
    } else if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      head.headers.append(String(text[..<colon]), String(value))
    }
    return .more
  }
}

extension String {
  /// Without the line's end and blanks before it. "\r\n" is one Character, hence the look at bytes.
  fileprivate func trimmingEnd() -> String {
    let blanks = " \t\r\n".utf8
    guard let last = utf8.lastIndex(where: { !blanks.contains($0) }) else { return "" }
    return String(self[...last])
  }
}
