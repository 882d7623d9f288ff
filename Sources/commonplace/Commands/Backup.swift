import ArgumentParser
import Wire

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the library into a new folder.",
    discussion: """
      The copy is one state of the library, opened and checked before it is called \
      good; a copy that fails leaves nothing. The library may be used meanwhile. \
      Works with the daemon that runs, or alone. To use a copy:

        commonplace serve --library <dir>
      """)

  @Argument(help: ArgumentHelp("A folder that does not exist yet.", valueName: "dir"), completion: .directory)
  var folder: String

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    let conversation = try await Conversation.open(place, from: .sharedOrOwn)
    let report = try await conversation.askPatiently(
      "library/backup", ["path": .string(AbsolutePath.of(folder, in: place.environment))])
    await conversation.end()
    output.output.show(report, to: MethodNames.describe("library/backup"), in: place)
  }
}
