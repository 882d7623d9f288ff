import ArgumentParser
import Contract
import Glibc
import Store
import Threads
import Wire

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the file, URL or contents of an item, and open it.",
    discussion: """
      Prints the path of a document's file, the URL of a post, a book or a source, and \
      any other item itself. On a desktop's terminal, it also opens the file or URL: a PDF \
      with $PDFVIEWER or the desktop's viewer, at its page if that has an option for it; \
      on another terminal, the text of a post or a kept page is printed and marked as read. \
      For a search result or a mark on a page, the page is printed too. The file belongs to the \
      library; do not change it. A highlight or a memo opens its document, and a day, such as \
      yesterday, is shown as by “today”.
      """)

  @Argument(help: ItemArgument.help, completion: ItemArgument.completion)
  var words: [String]

  /// An unquoted title is several words.
  private var item: String { words.joined(separator: " ") }

  @Flag(help: "Only print it.")
  var printOnly = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options)
    let conversation = try await Conversation.open(place, from: .shared)
    let found: ListedItem
    do throws(Failure) {
      found = try await ItemArgument(item, in: place).find(conversation)
    } catch {
      guard error.status == .notFound, let words = Handle(item).title,
        let day = try? await conversation.ask(ShortForm.today.method, ["day": .string(words)])
      else { throw error }
      await conversation.end()
      return output.output.show(day, to: MethodNames.describe(ShortForm.today.method), in: place)
    }
    guard let whole = try await Self.item(found, conversation) else { throw place.noItem(item) }
    // A document whose file is on another device, or of which there is none yet: the answer says so, and what to do.
    if whole["state"] == "elsewhere" || whole["state"] == "noFile", !output.json {
      _ = try await conversation.ask(KnownMethod.showPage, ["id": .string(found.id), "page": 0])
    }
    var (target, page) = (Self.target(of: whole, place), found.page)
    if target == nil, !output.json {
      target = try await documentTarget(ofMark: whole, conversation, place)
      page = page ?? whole["page"]?.integerValue
    }
    let desktop = Terminal.isOutput && !printOnly ? Desktop(place.environment) : nil
    let collection = place.voice.collections.first { $0.name == found.collection }
    if Terminal.isOutput, !printOnly, !output.json, desktop == nil,
      let shape = collection?.shape(), MethodNames.describe(KnownMethod.post)?.result == shape,
      let text = try await Self.read(found.id, conversation, place)
    {
      await conversation.end()
      Terminal.write(text)
      return
    }
    await conversation.end()
    if output.json { return output.output.show(whole, to: nil, in: place) }
    guard let target else {
      // Shown as its own method shows it.
      let method = collection.flatMap { ListMethods.method(returning: $0) }
      return output.output.show(whole, to: method, in: place)
    }
    Terminal.write(TerminalText.line(target, longest: .max) + "\n")
    guard Terminal.isOutput else { return }
    if let page {
      Terminal.write(place.voice.sentence(Text("table.page", ["page": ShownPage.counted(page).description])) + "\n")
    }
    desktop?.open(target, page: page.flatMap { ShownPage.counted($0).integerValue.map(Int.init) })
  }

  /// The text of a post, which is then read; nil if it has none.
  private static func read(_ id: String, _ conversation: Conversation, _ place: Place) async throws -> String? {
    let post = try await conversation.askPatiently(KnownMethod.post, ["id": .string(id)])
    guard let text = PostText(screen: place.screen).text(of: post) else { return nil }
    _ = try await conversation.ask(KnownMethod.markRead, ["ids": [.string(id)], "read": true])
    return text
  }

  private static func item(_ found: ListedItem, _ conversation: Conversation) async throws -> JSONValue? {
    try await conversation.ask(
      KnownMethod.item, ["collection": .string(found.collection ?? ""), "id": .string(found.id)])["item"]
  }

  /// The file of the document that contains a mark; nil for other items.
  private func documentTarget(
    ofMark mark: JSONValue, _ conversation: Conversation, _ place: Place
  ) async throws -> String? {
    guard let id = mark["document"]?.stringValue else { return nil }
    let lookup = ItemLookup(client: conversation.client, voice: place.voice)
    guard let document = try await lookup.item(withID: id, in: []),
      let whole = try await Self.item(document, conversation)
    else { return nil }
    return Self.target(of: whole, place)
  }

  /// The file of the item, else its URL.
  private static func target(of item: JSONValue, _ place: Place) -> String? {
    let named = item["file"]?.stringValue ?? item["file"]?["path"]?.stringValue
    let blob = item["hash"]?.stringValue.flatMap { try? Blobs(folder: place.folder.blobs).path(named: $0) }
    if let file = [named, blob].compactMap(\.self).first(where: { $0.hasPrefix("/") && access($0, R_OK) == 0 }) {
      return NamedLinks(in: place.paths.caches).link(to: file, title: item["title"]?.stringValue ?? "")
    }
    return ["link", "url", "infoLink"].lazy.compactMap { item[$0]?.stringValue }.first(where: \.isURL)
  }
}
