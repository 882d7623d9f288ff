/// How the response to a download's request applies to the part file. A pure rule, decided on the head, before a byte
/// is written: libcurl does not verify a range that is requested by a header.
enum RangeAnswer: Equatable {
  /// The rest of the file: append. The size of the whole file, if known.
  case rest(total: Int?)
  /// The whole file: empty the part, then write. Its size, if known.
  case whole(total: Int?)
  /// The part already contains the whole file.
  case complete
  /// The part is useless: empty it and send the request without a range.
  case startOver

  /// The values sent in `Range` and `If-Range`.
  struct RequestedRange: Equatable {
    /// Offset of the rest, which is the size of the part.
    var offset: Int
    /// The size of the whole file in the record.
    var total: Int?
    /// The record's ETag.
    var etag: String?
  }

  /// Interprets the head of a response.
  ///
  /// - Parameters:
  ///   - requested: nil if the whole file was requested.
  ///   - url: for the failure, masked.
  /// - Throws: `httpStatus`, `badResponse`.
  static func read(_ head: ResponseHead, requested: RequestedRange?, url: String) throws(HTTPFailure) -> RangeAnswer {
    switch (head.status, requested) {
    case (200, _), (203, _):
      return .whole(total: head.contentLength)
    case (206, let requested?):
      // Without Content-Range, as in a multipart response, the offset of the bytes is unknown.
      guard let range = ContentRange(head.headers["Content-Range"]), let first = range.first,
        first == requested.offset,
        requested.total == nil || range.total == nil || requested.total == range.total,
        requested.etag == nil || head.headers["ETag"] == nil || requested.etag == head.headers["ETag"]
      else { return .startOver }
      return .rest(total: range.total ?? requested.total)
    case (206, nil):
      throw .badResponse(reason: "answerPart")
    case (416, let requested?):
      guard let total = ContentRange(head.headers["Content-Range"])?.total, total == requested.offset,
        requested.total ?? total == total
      else { return .startOver }
      return .complete
    default:
      throw .httpStatus(code: head.status, url: url)
    }
  }
}

/// `Content-Range: bytes 10-19/100`, `bytes 10-19/*` or `bytes */100`.
struct ContentRange: Equatable {
  /// Nil in the form for an unsatisfiable range.
  var first: Int?
  var last: Int?
  var total: Int?

  init?(_ text: String?) {
    let words = (text ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] != "*" {
      guard let total = Self.number(halves[1]) else { return nil }
      self.total = total
    }
    if halves[0] == "*" { return }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      total.map({ last < $0 }) ?? true
    else { return nil }
    (self.first, self.last) = (first, last)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
