import Contract
import Kit
import Store
import Wire

/// Where items are shown, for a client: files of the desk, or virtual texts.
extension LanguageClient {
  /// One result for each target; nil where there is no such item.
  ///
  /// - Throws: an error of the file system when the desk cannot be written.
  func locations(of targets: [TextTarget], for caller: FeatureCaller) async throws -> [TextLocation?] {
    try await caller.services.desk.locate(targets, for: caller, as: abilities.shownDocuments)
  }
}

/// Which texts a client gets as virtual texts.
enum ShownDocuments: Sendable {
  case files, virtual
  /// Read-only texts are virtual, for a client that shows those by `workspace/textDocumentContent`.
  case editableFiles
}

extension LanguageAbilities {
  var shownDocuments: ShownDocuments {
    switch documents {
    case .virtual: .virtual
    case .files: textContent ? .editableFiles : .files
    }
  }
}

extension TextLocation {
  var range: PositionRange {
    let start = TextPosition(line: line, character: 0)
    return PositionRange(start, start)
  }

  var json: JSONValue { ["uri": .string(uri), "range": range.json] }
}

extension Services {
  /// The text of a file on the desk; nil for another file, and for a virtual text, which is nowhere.
  func laidText(_ uri: String) -> TextPath? { uri.hasPrefix("file:") ? desk.path(of: uri) : nil }

  /// A text of the library that a client has open; nil for an ordinary text.
  func openedPath(_ uri: String) -> OpenedPath? {
    desk.path(of: uri).map { OpenedPath(path: $0, isFile: uri.hasPrefix("file:")) }
  }
}

extension OpenText {
  /// The path of a library text; nil for an ordinary one.
  func path(in services: Services) -> TextPath? { services.desk.path(of: uri) }

  /// Whether its lines are cards: a list of posts has boxes and anchors too.
  func hasCards(in snapshot: Snapshot) -> Bool {
    let form = path(in: snapshot.services).flatMap { TextPlaces(snapshot).form(of: $0) }
    return form?.collections.contains("projects") ?? false
  }

  /// The item whose text a line of a library text is.
  ///
  /// - Throws: `DatabaseError`.
  func source(ofLine number: Int, in snapshot: Snapshot) throws -> ItemKey? {
    guard let path = path(in: snapshot.services) else { return nil }
    if let anchor = content(number).anchor {
      return try snapshot.services.anchors.items(with: anchor.name, for: snapshot).first
    }
    return try TextPlaces(snapshot).render(path)?.item(atLine: number)?.key
  }
}
