import ArgumentParser
import Wire

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the whole library for damage.",
    discussion: """
      Reads the file, the log of changes, every stored file and the search index, while \
      the library goes on being used. Ends with status 1 if something was found. Works \
      with the daemon that runs, or alone.
      """)

  @Flag(help: "Remove files that nothing names any more.")
  var repair = false

  @Flag(help: "First make the search index anew.")
  var rebuildIndex = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    let conversation = try await Conversation.open(place, from: .sharedOrOwn)
    let report = try await conversation.askPatiently(
      "library/check", ["repair": .bool(repair), "rebuildIndex": .bool(rebuildIndex)])
    await conversation.end()
    output.output.show(report, to: MethodNames.describe("library/check"), in: place)
    if report["ok"]?.boolValue != true { throw Failure(.failed) }
  }
}
