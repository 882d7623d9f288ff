import ArgumentParser
import Wire

struct Edit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Edit an item in your editor.",
    discussion: """
      Starts $VISUAL, else $EDITOR, with the item's fields between lines of --- (YAML), or \
      of +++ (TOML) with --toml, and its text below them. Changes are saved when the \
      editor exits. Removing a line changes nothing; a field without a value is cleared. \
      Nothing is changed if the editor fails or leaves the file unchanged.

      Changes that others made meanwhile are merged. If both changed the same text, the \
      editor is started again with both versions. A file that could not be saved is kept, \
      and the error names it.

        commonplace edit %3
        EDITOR='code --wait' commonplace edit 'Return the book'
      """)

  @Argument(help: ItemArgument.help, completion: ItemArgument.completion)
  var item: String

  @Flag(help: "Write the fields as TOML.")
  var toml = false

  @OptionGroup var output: OutputOptions

  @Option(help: "The language of sentences and dates, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    let conversation = try await Conversation.open(place, from: .shared)
    let found = try await ItemArgument(item, in: place).find(conversation)
    let session = try EditSession(item: found, style: toml ? .toml : .yaml, conversation: conversation, place: place)
    let reply = try await session.run()
    await conversation.end()
    if let reply { output.output.show(reply, to: session.update, in: place) }
  }
}
