/// How messages are separated on a byte stream; a connection's first byte decides.
package enum Framing: Sendable, Equatable {
  /// `Content-Length: N`, an empty line, N bytes: the base protocol of LSP.
  case headers
  /// One JSON message per line.
  case lines
}

/// Splits a byte stream into frames, however it is chunked.
///
/// It buffers at most one frame's limit of bytes. After an error that leaves the end of a frame unknown, the stream
/// cannot be parsed any more, and every later call throws the same error.
package struct FrameParser: Sendable {
  package struct Limits: Sendable {
    package var frame = 16 << 20
    package var headers = 8 << 10

    package init() {}
  }

  package private(set) var framing: Framing?
  private let limits: Limits
  private var buffer: [UInt8] = []
  /// The bytes of `buffer` that were already returned; removed at once when they are half of it.
  private var consumed = 0
  /// How far `buffer` was searched for the end of a line or of headers, so that the bytes of a slow sender are not
  /// searched twice.
  private var searched = 0
  private var expected: Int?
  private var failure: FrameError?

  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the stream ended inside a frame.
  package var isInsideFrame: Bool {
    expected != nil || buffer[consumed...].contains { !isBlank($0) }
  }

  /// Whether bytes of an incomplete frame are buffered. Blanks before a message do not count, up to a limit that no
  /// client reaches by chance.
  package var awaitsRest: Bool {
    buffer.count - consumed > limits.headers || isInsideFrame
  }

  /// The buffered bytes that are not part of a returned frame.
  package var heldBytes: Int { buffer.count - consumed }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    guard failure == nil else { return }
    if consumed == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      searched = 0
      consumed = 0
    } else if consumed > 0, consumed >= buffer.count / 2 {
      buffer.removeFirst(consumed)
      searched = max(0, searched - consumed)
      consumed = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete frame, or nil until more bytes are appended.
  ///
  /// - Throws: `FrameError`, then and at every later call: the beginning of the next frame is unknown.
  package mutating func next() throws(FrameError) -> [UInt8]? {
    if let failure { throw failure }
    do {
      if framing == nil, !chooseFraming() { return nil }
      // The buffer of one long frame is not retained for the hundreds of short ones that follow.
      defer { if consumed == buffer.count, expected == nil, buffer.capacity > 1 << 20 { forget() } }
      return framing == .headers ? try nextWithHeaders() : try nextLine()
    } catch {
      failure = error
      buffer = []
      consumed = 0
      expected = nil
      throw error
    }
  }

  private mutating func forget() {
    buffer = []
    searched = 0
    consumed = 0
  }

  /// The last line of a stream that has ended without a line end: `printf '{…}'
  ///  socat …`.
  package mutating func finish() -> [UInt8]? {
    guard framing == .lines, isInsideFrame else { return nil }
    defer { consumed = buffer.count }
    return Array(buffer[consumed...])
  }

  /// Skips blank lines before the first message, which do not determine the framing.
  private mutating func chooseFraming() -> Bool {
    while consumed < buffer.count, isBlank(buffer[consumed]) { consumed += 1 }
    framing = Framing(of: buffer[consumed...])
    searched = consumed
    return framing != nil
  }

  private mutating func nextLine() throws(FrameError) -> [UInt8]? {
    while true {
      guard let end = buffer[max(searched, consumed)...].firstIndex(of: 0x0A) else {
        searched = buffer.count
        if buffer.count - consumed > limits.frame { throw .tooLarge(limit: limits.frame) }
        return nil
      }
      let line = buffer[consumed..<end]
      consumed = end + 1
      searched = consumed
      if line.count > limits.frame { throw .tooLarge(limit: limits.frame) }
      // A blank line, which users type to test the connection, is ignored.
      if line.allSatisfy(isBlank) { continue }
      return Array(line)
    }
  }

  private mutating func nextWithHeaders() throws(FrameError) -> [UInt8]? {
    if expected == nil {
      // Scripts that `echo` a body add a line end after it, which belongs to no header.
      while consumed < buffer.count, isBlank(buffer[consumed]) { consumed += 1 }
      guard let end = endOfHeaders() else {
        if buffer.count - consumed > limits.headers { throw .headersTooLarge(limit: limits.headers) }
        return nil
      }
      if end.text.count > limits.headers { throw .headersTooLarge(limit: limits.headers) }
      let length = try contentLength(in: buffer[end.text])
      if length > limits.frame { throw .tooLarge(limit: limits.frame) }
      consumed = end.next
      searched = consumed
      expected = length
      buffer.reserveCapacity(consumed + length)
    }
    guard let length = expected, buffer.count - consumed >= length else { return nil }
    let body = Array(buffer[consumed..<consumed + length])
    consumed += length
    searched = consumed
    expected = nil
    return body
  }

  /// The end of the headers. LSP requires CRLF; a bare LF is accepted too, since scripts omit the CR.
  private mutating func endOfHeaders() -> (text: Range<Int>, next: Int)? {
    var index = max(searched, consumed)
    while let newline = buffer[index...].firstIndex(of: 0x0A) {
      let after = newline + 1
      if after < buffer.count, buffer[after] == 0x0A { return (consumed..<newline, after + 1) }
      if after + 1 < buffer.count, buffer[after] == 0x0D, buffer[after + 1] == 0x0A {
        return (consumed..<newline, after + 2)
      }
      if after + 1 >= buffer.count {
        searched = newline
        return nil
      }
      index = after
    }
    searched = buffer.count
    return nil
  }

  private func contentLength(in headers: ArraySlice<UInt8>) throws(FrameError) -> Int {
    var length: Int?
    for line in headers.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badHeader }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-length" else { continue }
      let value = line[(colon + 1)...].filter { !isBlank($0) }
      guard length == nil, !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .badLength }
      guard let number = Int(String(decoding: value, as: UTF8.self)) else { throw .tooLarge(limit: limits.frame) }
      length = number
    }
    guard let length else { throw .noLength }
    return length
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
}

/// Why a stream cannot be parsed any more.
package enum FrameError: Error, Equatable, Sendable {
  case badHeader
  case badLength
  case headersTooLarge(limit: Int)
  case noLength
  case tooLarge(limit: Int)

  /// The error that the peer gets before its connection is closed.
  package var reply: RPCError {
    switch self {
    case .badHeader: .invalidRequest("header")
    case .badLength: .invalidRequest("length")
    case .noLength: .invalidRequest("noLength")
    case .headersTooLarge(let limit): .invalidRequest("headersTooLarge", ["limit": String(limit)])
    case .tooLarge(let limit): .invalidRequest("tooLarge", ["limit": String(limit)])
    }
  }
}

extension Framing {
  /// The framing determined by the beginning of a stream; nil if it is blank.
  package init?(of bytes: some Sequence<UInt8>) {
    guard let first = bytes.first(where: { !isBlank($0) }) else { return nil }
    // No JSON message begins with a letter, but every header line does.
    self = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) ? .headers : .lines
  }

  /// A message in its frame.
  package func frame(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .headers: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
    case .lines: message + [0x0A]
    }
  }
}
