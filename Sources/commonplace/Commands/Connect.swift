import ArgumentParser
import Glibc
import Link
import Wire

struct Connect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect input and output to the daemon, as editors do.",
    discussion: """
      Editors run this command. It forwards bytes without interpreting them. All of them \
      share one daemon, and killing one does not affect the others. The client has the \
      language of LC_ALL, LC_TIME or LANG and the time zone of TZ, unless it sets others.

      The status is 0 after the end of input and all replies, or after “exit”, and 3 if \
      the daemon exits first.
      """)

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    try await Self.bridge(library)
  }

  static func bridge(_ library: LibraryOptions) async throws(Failure) {
    let place = try Place(library.options)
    guard let found = try await Reach(place: place).find(startingOne: true) else {
      throw place.voice.failure(.noDaemon, Text("command.daemonEnded"))
    }
    place.warnOfUnknownZone()
    var bridge = Bridge(
      input: STDIN_FILENO, output: STDOUT_FILENO, socket: found.descriptor, greeting: greeting(from: place))
    switch bridge.run() {
    case .outputClosed: return
    case .socketEnded:
      // The daemon closes a connection after `exit`, and when it shuts down; the bytes are not parsed here.
      guard isAlive(found.socket) else { throw place.voice.failure(.noDaemon, Text("command.daemonEnded")) }
    case .failed(let call, let number):
      throw place.voice.failure(
        .failed, Text("command.failed", ["reason": "\(call): \(String(cString: strerror(number)))"]))
    }
  }

  /// The locale and time zone of this shell's user, who may be elsewhere than the user of the shell that started the
  /// daemon. The client's own values, in `initialize` or later, follow and override them.
  private static func greeting(from place: Place) -> [UInt8]? {
    var params = JSONObject()
    if place.voice.namesLocale { params["locale"] = .string(place.voice.reader.locale.identifier) }
    if let zone = place.zone { params["timeZone"] = .string(zone) }
    guard !params.isEmpty else { return nil }
    let message: JSONValue = ["jsonrpc": "2.0", "method": "session/configure", "params": .object(params)]
    return Array(message.description.utf8)
  }

  /// Whether a daemon still listens. A killed process loses its connections one after the other, so connecting for an
  /// instant proves nothing: the connection has to last.
  private static func isAlive(_ socket: String) -> Bool {
    guard let descriptor = try? UnixSocket.connect(socket) else { return false }
    defer { close(descriptor) }
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 150) == 0
  }
}
