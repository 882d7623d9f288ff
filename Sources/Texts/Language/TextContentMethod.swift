import Contract
import Kit
import Store
import Wire

/// LSP's `workspace/textDocumentContent`.
enum ShowTextContent: LanguageMethod {
  static let name = "workspace/textDocumentContent"
  static let summary = "A text of the library by its `commonplace:` URI, for reading."
  static let errors: [ErrorKind] = [.ambiguous, .notFound, .passwordRequired]

  struct Params: Payload {
    var uri: String
    static let example = Params(uri: "commonplace:///text/projects/board.md")
    static let fields = ["uri": "The URI of the text."]
  }
  typealias Result = JSONValue

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> String? { params.uri }

  static func answer(_ uri: String, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    // A change that comes while the text is read is one of those after it.
    defer { caller.services.shownContents.libraryChanged(with: caller.services) }
    return try await caller.services.library.read(as: caller) { snapshot in
      guard let path = TextPath(uri: uri), let text = try TextPlaces(snapshot).render(path) else {
        throw RPCError(.notFound, text: Text("links.leadsNowhere", ["link": String(uri.unicodeScalars.prefix(200))]))
      }
      if caller.language?.abilities.textContent ?? false {
        snapshot.services.shownContents.shown(uri, in: caller.connectionID, at: snapshot.clock)
      }
      return ["text": .string(text.text)]
    }
  }
}
