import Client
import Contract
import Glibc
import Wire

/// Calls one method with each line of the input as its params, over one connection. The replies are printed in the
/// order of the lines: a result, or `{"error": {"kind": …, "message": …}}`, on one line.
struct LineCalls {
  let method: MethodDescription
  /// Params of the command line, which apply to each line that has no member of the same name.
  let params: [String]
  let place: Place

  /// The number of concurrent requests: enough for writes to share a sync of the disk.
  private static let mostPending = 64
  /// The longest line, in bytes; the daemon accepts no longer message.
  private static let longestLine = 16 << 20

  /// - Throws: `Failure` with `allFailed` if no line succeeded.
  func run() async throws {
    let common = try CallParams(description: method, place: place).object(of: params)
    let conversation = try await Conversation.open(place, from: .shared)
    var pending: [Answer] = []
    var (number, lines, failed) = (0, 0, 0)
    func finish(_ answer: Answer) async -> Bool {
      let (line, isFailed) = await answer.line(place)
      if isFailed { failed += 1 }
      return Terminal.write(json: line + "\n")
    }
    var reader = InputLines(longest: Self.longestLine)
    while true {
      // If the input is written slowly, replies are printed at once, and not after many.
      if !reader.isReady {
        for answer in pending where await !finish(answer) { return }
        pending = []
      }
      guard let bytes = reader.next() else { break }
      number += 1
      // A blank line is not a request.
      if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      lines += 1
      pending.append(answer(to: bytes, number, common, conversation.client))
      if pending.count >= Self.mostPending, await !finish(pending.removeFirst()) { return }
    }
    for answer in pending where await !finish(answer) { return }
    await conversation.end()
    guard failed > 0 else { return }
    if failed == lines { throw place.voice.failure(.allFailed, Text("command.allLinesFailed")) }
    let counts = ["failed": String(failed), "tried": String(lines)]
    Terminal.say("commonplace: " + place.voice.sentence(Text("command.partFailed", counts)))
  }

  private enum Answer {
    case sent(PendingReply)
    case refused(Failure)

    func line(_ place: Place) async -> (text: String, isFailed: Bool) {
      switch self {
      case .refused(let failure): return (failure.json.description, true)
      case .sent(let reply):
        do {
          return (try await reply.value().description, false)
        } catch {
          return (place.voice.failure(error).json.description, true)
        }
      }
    }
  }

  private func answer(to line: [UInt8], _ number: Int, _ common: JSONObject, _ client: Client) -> Answer {
    guard line.count <= Self.longestLine, let text = String(validating: line, as: UTF8.self) else {
      return .refused(place.voice.failure(.usage, Text("command.notUTF8", ["name": "-:\(number)"])))
    }
    let value: JSONValue
    do {
      value = try JSONParser.parse(text)
    } catch {
      return .refused(
        place.voice.failure(.usage, Text("command.notJSON", ["name": "-:\(number)", "offset": String(error.offset)])))
    }
    guard var object = value.objectValue else {
      return .refused(place.voice.failure(.invalidParams(field: "params", reason: Text("param.byName"))))
    }
    for member in common.members where object[member.key] == nil { object[member.key] = member.value }
    return .sent(client.send(method.name, .object(object)))
  }
}

/// The lines of the input, without their line ends.
struct InputLines {
  let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(longest: Int) {
    self.longest = longest
  }

  /// Whether the next line, or the end, can be read without waiting for the writer.
  var isReady: Bool {
    if isAtEnd || buffer[start...].contains(0x0A) { return true }
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) != 0
  }

  /// Nil at the end. For a line that is too long, its first bytes, one more than the limit.
  mutating func next() -> [UInt8]? {
    var scanned = start
    while true {
      if let end = buffer[scanned...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Array(buffer[start..<end].prefix(longest + 1))
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...].prefix(longest + 1))
      }
      // A longer line is discarded up to its end.
      if buffer.count - start > longest + 1 { buffer.removeSubrange(start + longest + 1..<buffer.count) }
      buffer.removeSubrange(..<start)
      start = 0
      scanned = buffer.count
      fill()
    }
  }

  private mutating func fill() {
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 { buffer += part[..<count] } else { isAtEnd = true }
      return
    }
  }
}
