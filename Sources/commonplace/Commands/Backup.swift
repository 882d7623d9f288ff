import ArgumentParser
import Wire

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the library into a new folder.",
    discussion: """
      The copy is one state of the library. It is opened and checked before the command \
      reports success; a failed copy is removed. The library can be used meanwhile. Uses \
      the running daemon if there is one. To use a copy:

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
