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
    let given = try CallParams(description: method, place: place).object(of: params)
    var handles = try HandleParams(given, of: method, in: place)
    let conversation = try await Conversation.open(place, from: .shared)
    if handles.needsLookup {
      let lookup = ItemLookup(client: conversation.client, voice: place.voice)
      try await handles.resolve(all: false, by: lookup)
    }
    let common = handles.params
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
