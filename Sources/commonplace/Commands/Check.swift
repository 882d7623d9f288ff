import ArgumentParser
import Wire

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the whole library for damage.",
    discussion: """
      Reads the database, the log of changes, every stored file and the search index. The \
      library can be used meanwhile. The status is 1 if a problem was found. Uses the \
      running daemon if there is one.
      """)

  @Flag(help: "Remove unreferenced files.")
  var repair = false

  @Flag(help: "First rebuild the search index.")
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
