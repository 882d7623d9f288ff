import ArgumentParser
import Client
import Glibc
import Threads
import Wire

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print changes as they happen.",
    discussion: """
      On a terminal, each change is a line: time, client, change. In a pipe, or with \
      --json, each notification is one line of JSON, {"method": …, "params": …}, written \
      at once. The params of changes also have the client, the time and the method, and \
      each change has its verb (added, changed, removed) and the item's title. It runs \
      until Ctrl-C, or until its output is closed. When the daemon exits, it waits for the \
      next one and fetches the missed changes; with --no-wait it exits too, with status 3.

        commonplace watch --collections projects | while read -r change; do …; done
      """)

  @Option(help: ArgumentHelp("Only these, separated by commas. Default: all.", valueName: "names"))
  var collections: String?

  @Option(
    help: ArgumentHelp("Only changes of the client with this name, such as an agent's session.", valueName: "name"))
  var client: String?

  @Flag(help: "Print lines of JSON on a terminal too.")
  var json = false

  @Flag(name: .customLong("no-wait"), help: "Exit with status 3 when the daemon exits, instead of waiting.")
  var endsWithDaemon = false

  @Option(help: "The language of sentences, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  private var names: [String]? { collections?.split(separator: ",").map(String.init) }

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    var conversation = try await Conversation.open(place, from: .shared)
    var following = Following(collections: names)
    Self.endWithReader()
    while true {
      do {
        guard try await write(&following, conversation, place) else { return }
      } catch ClientError.closed {
        // As if it had ended a little later.
      } catch {
        throw place.voice.failure(error)
      }
      await conversation.end()
      if endsWithDaemon { throw place.voice.failure(.noDaemon, Text("command.daemonEnded")) }
      Terminal.say("commonplace: " + place.voice.sentence(Text("watch.waiting")))
      conversation = try await Conversation.openNext(place)
      Terminal.say("commonplace: " + place.voice.sentence(Text("watch.returned")))
    }
  }

  /// Writes all notifications of this daemon; false if the output has no reader any more.
  private func write(
    _ following: inout Following, _ conversation: Conversation, _ place: Place
  ) async throws -> Bool {
    let report =
      json || !Terminal.isOutput
      ? nil : ReportedChanges(place: place, client: conversation.client, asked: Set(names ?? []))
    let described = DescribedCommits(client: conversation.client)
    for missed in try await following.begin(conversation) {
      guard await write(Following.didCommit, missed, report, described) else { return false }
    }
    for try await notification in conversation.client.notifications where !following.isKnown(notification) {
      guard await write(notification.method, notification.params, report, described) else { return false }
    }
    return true
  }

  private func write(
    _ method: String, _ params: JSONValue, _ report: ReportedChanges?, _ described: DescribedCommits
  ) async -> Bool {
    if let client {
      // Commits that are notified together are written if one of them is of this client.
      guard method == Following.didCommit,
        await ReportedCommits(of: params, asking: described.client).names.contains(client)
      else { return true }
    }
    guard let lines = await report?.lines(of: method, params) else {
      let params = method == Following.didCommit ? await described.described(params) : params
      let json: JSONValue = ["method": .string(method), "params": params]
      return Terminal.write(json: json.description + "\n")
    }
    return lines.allSatisfy { Terminal.write($0 + "\n") }
  }

  /// `watch | head -1`: a closed output is noticed at once, not when the next change would be written.
  private static func endWithReader() {
    startThread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0, errno == EINTR {}
      // A file never fails, and a pipe only if it has no reader.
      if output.revents & Int16(POLLERR) != 0 { Glibc.exit(ExitStatus.success.rawValue) }
    }
  }
}
