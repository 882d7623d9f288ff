import Contract
import Daemon
import Glibc
import Link
import Store
import Wire

/// A shell's completions in the place of an item: numbers of the last list, short ids of it, and titles.
///
/// The titles are requested from a running daemon. None is started, and a late reply is ignored.
struct ItemCompletion {
  /// Nil where the surroundings do not say where the library is.
  var place = try? Place()
  /// How long the daemon may take. It mostly takes a few milliseconds, and a shell stands still meanwhile.
  var patience: Duration = .milliseconds(200)

  private static let most = 50
  private static let longestReply = 1 << 20

  /// - Parameter prefix: what was typed, with the quoting of the shell.
  func matching(_ prefix: String) -> [String] {
    guard let place else { return [] }
    let items = TerminalList(place)?.read() ?? []
    if prefix.first == "%" {
      return items.indices.map { "%\($0 + 1)" }.filter { $0.hasPrefix(prefix) }
    }
    let text = String(prefix.filter { !["\\", "\"", "'"].contains($0) })
    let ids = ShortIDs.labels(of: items.map(\.id)).values.filter { !text.isEmpty && $0.hasPrefix(text) }
    return (ids.sorted() + titles(beginningWith: text, place)).filter(Self.isPlain)
  }

  /// Whether a shell takes it literally: some shells expand completions, and the titles are from other people.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == " " || "-_.,%+".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar) || scalar.properties.generalCategory == .nonspacingMark
    }
  }

  // MARK: - Titles

  private func titles(beginningWith text: String, _ place: Place) -> [String] {
    guard let reply = ask(KnownMethod.suggest, ["scope": "library", "text": .string(text), "limit": 50], place) else {
      return []
    }
    var titles: [String] = []
    for item in reply["titles"]?.arrayValue ?? [] where titles.count < Self.most {
      guard let title = item["title"]?.stringValue, title.lowercased().hasPrefix(text.lowercased()),
        !titles.contains(title)
      else { continue }
      titles.append(title)
    }
    return titles
  }

  /// The result of one request to the daemon that runs; nil where none runs, or where it takes too long.
  func ask(_ method: String, _ params: JSONValue, _ place: Place) -> JSONValue? {
    guard let owner = Ownership.owner(of: place.folder), !owner.socket.isEmpty, Ownership.isHeld(place.folder),
      let socket = try? UnixSocket.connect(owner.socket)
    else { return nil }
    defer { close(socket) }
    let end = ContinuousClock.now + patience
    let request = MessageBytes.request(id: .integer(1), method: method, params: params) + [0x0A]
    guard write(socket, request, request.count) == request.count else { return nil }
    var reply: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while reply.last != 0x0A, reply.count < Self.longestReply {
      let rest = end - .now
      guard rest > .zero else { return nil }
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { return nil }
      let count = read(socket, &part, part.count)
      guard count > 0 else { return nil }
      reply += part[..<count]
    }
    // Notifications may precede the reply.
    return reply.split(separator: 0x0A).lazy.compactMap {
      (try? JSONParser.parse(String(decoding: $0, as: UTF8.self)))?["result"]
    }.first
  }
}
