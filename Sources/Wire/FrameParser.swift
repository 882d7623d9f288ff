/// How messages are told apart on a byte stream; a connection's first byte decides.
package enum Framing: Sendable, Equatable {
  /// `Content-Length: N`, an empty line, N bytes: the base protocol of LSP.
  case headers
  /// One JSON message a line.
  case lines
}

/// Cuts a byte stream into frames, however it was chopped up on its way.
///
/// It holds no more than one frame's limit of bytes. Once a frame is wrong in a way that leaves its end unknown the
/// stream cannot be read on, and the parser says so for ever.
package struct FrameParser: Sendable {
  package struct Limits: Sendable {
    package var frame = 16 << 20
    package var headers = 8 << 10

    package init() {}
  }

  package private(set) var framing: Framing?
  private let limits: Limits
  private var buffer: [UInt8] = []
  /// The bytes of `buffer` that were handed out already; moved away in one go when they are half of it.
  private var consumed = 0
  /// How far `buffer` was searched for an end of line or of headers, so that a slow sender is not searched twice.
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

  /// Whether bytes are held for a frame whose end is still to come. Blanks in front of a message are none of it, unless
  /// they are more than anybody sends by chance.
  package var awaitsRest: Bool {
    buffer.count - consumed > limits.headers || isInsideFrame
  }

  /// The bytes that are held, of which no frame was made yet.
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

  /// The next whole frame, or nil until more bytes have come.
  package mutating func next() throws(FrameError) -> [UInt8]? {
    if let failure { throw failure }
    do {
      if framing == nil, !chooseFraming() { return nil }
      // What one long frame needed is not kept for the hundreds of short ones that follow, or for none.
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

  /// The last line of a stream that has ended, when its writer left out the line's end: `printf '{…}' | socat …`.
  package mutating func finish() -> [UInt8]? {
    guard framing == .lines, isInsideFrame else { return nil }
    defer { consumed = buffer.count }
    return Array(buffer[consumed...])
  }

  /// Blank lines before the first message say nothing of the framing.
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
      // A line of blanks is what a person types to see whether anybody is there.
      if line.allSatisfy(isBlank) { continue }
      return Array(line)
    }
  }

  private mutating func nextWithHeaders() throws(FrameError) -> [UInt8]? {
    if expected == nil {
      // Scripts that `echo` a body leave a line's end behind it, which belongs to no header.
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

  /// Where the headers end. LSP says CRLF; a bare LF is taken too, since scripts forget the CR.
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

/// Why a stream cannot be read on.
package enum FrameError: Error, Equatable, Sendable {
  case badHeader
  case badLength
  case headersTooLarge(limit: Int)
  case noLength
  case tooLarge(limit: Int)

  /// What the peer is told before its connection is closed.
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
  /// The framing that the beginning of a stream chooses; nil where it is blank.
  package init?(of bytes: some Sequence<UInt8>) {
    guard let first = bytes.first(where: { !isBlank($0) }) else { return nil }
    // No JSON message begins with a letter, and every header line does.
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
