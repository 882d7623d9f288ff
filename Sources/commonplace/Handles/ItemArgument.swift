import ArgumentParser
import Contract
import Wire

/// The item of a command, in any form that users write.
struct ItemArgument {
  private let text: String
  private let place: Place

  static let help = ArgumentHelp("An id or its end, %3 from the last list, or a title.", valueName: "item")
  static var completion: CompletionKind { .custom { _, _, prefix in ItemCompletion().matching(prefix) } }

  init(_ text: String, in place: Place) {
    (self.text, self.place) = (text, place)
  }

  /// The item, with its collection.
  ///
  /// - Throws: `Failure` if none matches, and with all of them if several do.
  func find(_ conversation: Conversation) async throws(Failure) -> ListedItem {
    let items = TerminalList(place)?.read() ?? []
    var handle = Handle(text)
    var listed: ListedItem?
    switch handle {
    case .number(let number):
      guard number <= items.count else { throw place.notListed(number) }
      listed = items[number - 1]
    case .maybeID(let text):
      let found = items.filter { ShortIDs.matches(text, $0.id) }
      if Set(found.map(\.id)).count == 1 { listed = found.first }
    case .title: break
    }
    if let listed, listed.collection != nil { return listed }
    if let listed { handle = .maybeID(listed.id) }
    let found: [ListedItem]
    let lookup = ItemLookup(client: conversation.client, voice: place.voice)
    do {
      found = try await lookup.candidates(for: handle, in: []).preferringOpen
    } catch {
      throw place.voice.failure(error)
    }
    guard var first = found.first else {
      throw place.noItem(handle.text, similar: await lookup.similar(to: handle, in: []))
    }
    guard Set(found.map(\.id)).count == 1 else { throw place.ambiguous(handle.text, found) }
    // A row without an own id is a place in a document.
    first.page = listed?.page
    return first
  }
}
