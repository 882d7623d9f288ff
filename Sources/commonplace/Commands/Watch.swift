import ArgumentParser
import Foundation
import Wire

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what changes, as it changes.",
    discussion: """
      On a terminal, each change is a line: when, by which client, and what. In a pipe, \
      or with --json, each notification is one line of JSON, {"method": …, "params": …}, \
      written at once. It goes on until Ctrl-C, until nobody reads it any more, or, with \
      status 3, until the daemon ends.

        commonplace watch --collections projects | while read -r change; do …; done
      """)

  @Option(help: ArgumentHelp("Only these, separated by commas. All by default.", valueName: "names"))
  var collections: String?

  @Flag(help: "Lines of JSON, on a terminal too.")
  var json = false

  @Option(help: "The language of sentences, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    let conversation = try await Conversation.open(place, from: .shared)
    var params: JSONObject = [:]
    if let collections {
      params["collections"] = .array(collections.split(separator: ",").map { .string(String($0)) })
    }
    _ = try await conversation.ask("changes/subscribe", .object(params))
    Self.endWithReader()
    let told = json || !Terminal.isOutput ? nil : ToldChanges(place: place, client: conversation.client)
    do {
      for try await notification in conversation.client.notifications {
        let json: JSONValue = ["method": .string(notification.method), "params": notification.params]
        let lines = await told?.lines(of: notification) ?? [json.description]
        for line in lines { guard Terminal.write(line + "\n") else { return } }
      }
    } catch {
      throw place.voice.failure(error)
    }
    throw place.voice.failure(.noDaemon, Text("command.daemonEnded"))
  }

  /// `watch | head -1`: a reader that has gone is noticed at once, not when the next change would be written.
  private static func endWithReader() {
    Thread.detachNewThread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0, errno == EINTR {}
      // A file never fails, a pipe only without its reader.
      if output.revents & Int16(POLLERR) != 0 { Foundation.exit(ExitStatus.success.rawValue) }
    }
  }
}
