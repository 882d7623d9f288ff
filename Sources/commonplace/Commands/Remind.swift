import ArgumentParser
import Contract
import Daemon
import FoundationEssentials
import Glibc
import Store
import Threads
import Wire

struct Remind: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind",
    abstract: "Show the cards whose reminders are due.",
    discussion: """
      A card is due until it is dismissed, snoozed or finished:

        commonplace call projects/dismiss id=%1
        commonplace call projects/snooze id=%1 for=10m

      With --notify, each card is handed once to notify-send, for the desktop to show. \
      Without that program, they are printed. The systemd units that are installed run \
      this every minute in a desktop session.
      """)

  @Flag(help: "Hand what is due since the last time to the desktop.")
  var notify = false

  @Flag(help: "Print JSON on a terminal too.")
  var json = false

  @Option(help: "The language of sentences and dates, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  private static let method = "projects/reminders"
  /// As many cards as a reply may have.
  private static let most: Int64 = 1_000

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    let file = HandedReminders(place)
    let conversation = try await Conversation.open(place, from: .shared)
    var params: JSONObject = ["limit": .integer(Self.most)]
    if notify, let since = file.read() { params["since"] = .string(since.description) }
    let reply = try await conversation.ask(Self.method, .object(params))
    await conversation.end()
    guard notify else { return show(reply, in: place) }
    let due = reply["due"]?.arrayValue ?? []
    if due.isEmpty { return }
    let desktop = DesktopNotices(place.voice)
    guard desktop.isThere(place.environment) else {
      show(reply, in: place)
      return file.write(reply["at"])
    }
    guard desktop.show(due) else { throw place.voice.failure(.failed, Text("remind.notShown")) }
    file.write(reply["at"])
  }

  private func show(_ reply: JSONValue, in place: Place) {
    guard Terminal.isOutput, !json else {
      return Output(isJSON: json).show(reply, to: MethodNames.describe(Self.method), in: place)
    }
    let due = reply["due"]?.arrayValue ?? []
    if due.isEmpty {
      Terminal.write(place.voice.sentence(Text("remind.none")) + "\n")
      return
    }
    // The items of an area's method are of its collection.
    let collection = methodArea(of: Self.method)
    let items = due.compactMap { ListedItem($0, collection: collection) }
    TerminalList(place)?.write(items)
    for (number, (card, item)) in zip(due, items).enumerated() {
      let at = TerminalText.line(card["display"]?["at"]?.stringValue ?? "", longest: 100)
      Terminal.write("%\(number + 1)  \(at)  \(item.title)\n")
    }
  }
}

/// The instant up to which reminders have been handed to the desktop, as a file beside the library's socket.
private struct HandedReminders {
  private let path: String

  init(_ place: Place) { path = place.folder.run + "/reminded" }

  /// Nil if nothing was handed yet, and for a file that says nothing.
  func read() -> Instant? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Instant(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  /// A file that cannot be written is no failure: what is due is handed once more.
  func write(_ instant: JSONValue?) {
    guard let text = instant?.stringValue else { return }
    mkdir(parentFolder(of: path), 0o700)
    var name = Array((path + ".XXXXXX").utf8CString)
    // Mode 0600 from the first moment, and not another user's link.
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return }
    let isWhole = Terminal.write(text, to: descriptor)
    close(descriptor)
    if !isWhole || rename(name, path) != 0 { unlink(name) }
  }
}

/// Notices on the desktop, by `notify-send`. Titles are untrusted: they are arguments and not words of a shell.
private struct DesktopNotices {
  private static let program = "notify-send"
  /// More cards than this are one notice: nobody reads fifty after a week away.
  private static let mostSingle = 5
  private static let longest = 200

  private let voice: Voice

  init(_ voice: Voice) { self.voice = voice }

  func isThere(_ environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains {
      access("\($0)/\(Self.program)", X_OK) == 0
    }
  }

  /// - Returns: false if one could not be shown.
  func show(_ due: [JSONValue]) -> Bool {
    let cards = due.map { card in
      (
        title: Self.plain(card["title"]?.stringValue ?? ""),
        at: Self.plain(card["display"]?["at"]?.stringValue ?? card["at"]?.stringValue ?? "")
      )
    }
    guard cards.count > Self.mostSingle else {
      return cards.allSatisfy { show($0.title, Self.withoutMarkup($0.at)) }
    }
    let titles = cards.suffix(Self.mostSingle).map { Self.withoutMarkup($0.title) }.joined(separator: ", ")
    return show(voice.sentence(Text("remind.many", ["count": String(cards.count)])), titles + ", …")
  }

  private func show(_ title: String, _ body: String) -> Bool {
    // A command that has started a daemon ignores the ends of its children (`Launch`): then the status would be lost.
    let ofChildren = signal(SIGCHLD, SIG_DFL)
    defer { signal(SIGCHLD, ofChildren) }
    let arguments = ["--app-name=Commonplace", "--", title, body]
    guard let process = try? Spawn.start(Self.program, arguments, input: .none, output: .none) else { return false }
    return Spawn.status(of: process) == 0
  }

  /// Without characters that control a terminal or change the direction of text.
  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !LogLine.steers($0) }.prefix(longest)))
  }

  /// A body is marked up, and notify-send reads escapes of C in it.
  private static func withoutMarkup(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\\": result += "\\\\"
      default: result.append(character)
      }
    }
    return result
  }
}
