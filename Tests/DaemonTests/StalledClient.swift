import TestSupport
import Wire

/// A client of raw bytes that reads only when it is told to.
final class StalledClient {
  private let socket: RawSocket

  init(socket path: String) throws {
    socket = try RawSocket(connectingTo: path)
  }

  func send(_ message: String) {
    socket.write(message + "\n")
  }

  /// The next line, as JSON.
  func readLine() async throws -> JSONValue {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      let piece = try await socket.readSome()
      guard !piece.isEmpty else { break }
      line += piece
    }
    return try JSONParser.parse(line)
  }

  /// The ids of the replies, read until there are so many lines with one.
  func readUntil(replies count: Int) async throws -> Set<Int> {
    var rest: [UInt8] = []
    var replies: Set<Int> = []
    while replies.count < count {
      let piece = try await socket.readSome()
      guard !piece.isEmpty else { break }
      rest += piece
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(rest[..<end])
        rest.removeFirst(end + 1)
        if let id = try JSONParser.parse(line)["id"]?.integerValue { replies.insert(Int(id)) }
      }
    }
    return replies
  }
}
