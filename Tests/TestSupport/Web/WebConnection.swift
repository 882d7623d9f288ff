import Foundation

/// A connection to a server of HTTP that sends what a test gives it and parses what comes.
package actor WebConnection {
  package nonisolated let socket: RawSocket
  private var buffer: [UInt8] = []

  package init(port: Int) throws {
    socket = try RawSocket(port: port)
  }

  package func send(_ bytes: [UInt8]) {
    socket.write(bytes)
  }

  package func send(_ text: String) {
    socket.write(text)
  }

  /// The next answer; nil when the server has closed the connection.
  package func reply(to method: String = "GET") async throws -> WebReply? {
    var end: Int?
    while end == nil {
      end = buffer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
      if end == nil, try await !more() { return nil }
    }
    let head = String(decoding: take(end!), as: UTF8.self).split(separator: "\r\n")
    let headers = head.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (name: parts[0].lowercased(), value: parts[1].drop { $0 == " " })
    }
    let status = Int(head[0].split(separator: " ")[1]) ?? 0
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    let body = method == "HEAD" ? [] : try await bytes(length) ?? []
    return WebReply(status: status, headers: headers.map { ($0.name, String($0.value)) }, body: body)
  }

  /// Exactly so many bytes; nil if the connection ends before.
  package func bytes(_ count: Int) async throws -> [UInt8]? {
    while buffer.count < count {
      guard try await more() else { return nil }
    }
    return take(count)
  }

  /// Waits until the server has closed the connection.
  package func end() async throws {
    while try await more() { buffer = [] }
  }

  private func more() async throws -> Bool {
    let bytes = try await socket.readSome()
    buffer += bytes
    return !bytes.isEmpty
  }

  private func take(_ count: Int) -> [UInt8] {
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }
}

package struct WebReply: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package var text: String { String(decoding: body, as: UTF8.self) }

  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
}
