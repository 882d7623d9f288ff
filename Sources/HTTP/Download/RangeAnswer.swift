/// What the answer to a download's request means for the part file. A pure rule, decided on the head, before a byte is
/// written: libcurl verifies nothing of a range that is asked for by a header.
enum RangeAnswer: Equatable {
  /// The rest of the file: append. The size of the whole file, if known.
  case rest(total: Int?)
  /// The whole file: empty the part, then write. Its size, if known.
  case whole(total: Int?)
  /// The part is the whole file already.
  case complete
  /// The part is of no use: empty it and ask again without a range.
  case startOver

  /// What was asked for with `Range` and `If-Range`.
  struct Asked: Equatable {
    /// Where the rest begins, which is the size of the part.
    var offset: Int
    /// What the record says of the whole file.
    var total: Int?
    /// The record's ETag.
    var etag: String?
  }

  /// Reads the head of an answer.
  ///
  /// - Parameters:
  ///   - asked: nil when the whole file was asked for.
  ///   - url: for the failure, masked.
  /// - Throws: `httpStatus`, `badResponse`.
  static func read(_ head: ResponseHead, asked: Asked?, url: String) throws(HTTPFailure) -> RangeAnswer {
    switch (head.status, asked) {
    case (200, _), (203, _):
      return .whole(total: head.contentLength)
    case (206, let asked?):
      // Without Content-Range, as in an answer of several ranges, nothing says where the bytes belong.
      guard let range = ContentRange(head.headers["Content-Range"]), let first = range.first,
        first == asked.offset,
        asked.total == nil || range.total == nil || asked.total == range.total,
        asked.etag == nil || head.headers["ETag"] == nil || asked.etag == head.headers["ETag"]
      else { return .startOver }
      return .rest(total: range.total ?? asked.total)
    case (206, nil):
      throw .badResponse(reason: "answerPart")
    case (416, let asked?):
      guard let total = ContentRange(head.headers["Content-Range"])?.total, total == asked.offset,
        asked.total ?? total == total
      else { return .startOver }
      return .complete
    default:
      throw .httpStatus(code: head.status, url: url)
    }
  }
}

/// `Content-Range: bytes 10-19/100`, `bytes 10-19/*` or `bytes */100`.
struct ContentRange: Equatable {
  /// Nil in the form that says that a range cannot be had.
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
