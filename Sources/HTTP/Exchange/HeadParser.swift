/// Assembles the head of the final response from the lines that libcurl passes on, which include those of preceding 1xx
/// responses and of trailers.
struct HeadParser {
  /// The result of a line.
  enum Step {
    case more
    /// The line was the empty one after the final head.
    case head(ResponseHead)
  }

  /// The most bytes of header lines in an exchange; longer responses are refused. libcurl's own limit is 300 KiB.
  static let limit = 256 << 10

  private var head = ResponseHead()
  private var bytesSeen = 0
  private var isDone = false

  /// Parses one line, including its line end.
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
  /// The text without its line end and preceding blanks. "\r\n" is one Character, so bytes are compared.
  fileprivate func trimmingEnd() -> String {
    let blanks = " \t\r\n".utf8
    guard let last = utf8.lastIndex(where: { !blanks.contains($0) }) else { return "" }
    return String(self[...last])
  }
}
