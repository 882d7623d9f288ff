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
      and the error names it. A day, such as today, is its newest diary entry; without one, a \
      new entry of today is written.

        commonplace edit %3
        commonplace edit today
        EDITOR='code --wait' commonplace edit 'Return the book'
      """)

  @Argument(help: ItemArgument.help, completion: ItemArgument.completion)
  var words: [String]

  /// An unquoted title is several words.
  private var item: String { words.joined(separator: " ") }

  @Flag(help: "Write the fields as TOML.")
  var toml = false

  @OptionGroup var output: OutputOptions

  @Option(help: "The language of sentences and dates, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    let conversation = try await Conversation.open(place, from: .shared)
    guard let found = try await Self.find(item, conversation, place) else {
      await conversation.end()
      return try await ShortForm.note.run([], output.output, locale: locale, library.options)
    }
    let session = try EditSession(item: found, style: toml ? .toml : .yaml, conversation: conversation, place: place)
    let reply = try await session.run()
    await conversation.end()
    if let reply { output.output.show(reply, to: session.update, in: place) }
  }

  /// The item, or the newest entry of the day that the words mean; nil for today without an entry.
  private static func find(
    _ words: String, _ conversation: Conversation, _ place: Place
  ) async throws(Failure) -> ListedItem? {
    let failure: Failure
    do throws(Failure) {
      return try await ItemArgument(words, in: place).find(conversation)
    } catch {
      failure = error
    }
    let method = ShortForm.today.method
    guard failure.status == .notFound, let text = Handle(words).title,
      let shape = MethodNames.describe(method)?.result.field(at: ["entries"])?.shape.element,
      let reply = try? await conversation.ask(method, ["day": .string(text)])
    else { throw failure }
    let collection = ListedItems.collection(of: shape, place.voice.collections)
    let entries = (reply["entries"]?.arrayValue ?? []).compactMap { entry in
      ListedItem(entry, collection: collection).map {
        (item: $0, added: (entry["createdAt"]?.stringValue ?? "", entry["revision"]?.integerValue ?? 0))
      }
    }
    if entries.isEmpty {
      let today = try await conversation.ask(method, [:])
      guard today["day"] == reply["day"] else { throw failure }
    }
    return entries.max { $0.added < $1.added }?.item
  }
}
