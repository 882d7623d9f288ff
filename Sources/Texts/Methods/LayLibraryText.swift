import Contract
import Kit
import Store
import Wire

enum LayLibraryText: ReadMethod {
  static let name = "text/path"
  static let summary =
    "Lays a text as a file, for an editor or a shell, and returns its path. The daemon keeps the file as the library is, "
    + "and saves what another program writes into it."
  static let effects: Effects = [.reads, .files]
  /// Changes that another program writes into the file are saved.
  static let paramEffects: [String: Effects] = ["path": .writes, "link": .writes]
  static let errors: [ErrorKind] = [.ambiguous, .notFound, .notAllowed, .passwordRequired, .tooLarge]

  struct Params: Payload {
    var path: String?
    var link: String?
    static let example = Params(path: "diary/today.md", link: nil)
    static let fields = [
      "path": "The path of the text, below `commonplace:///text/`.",
      "link": "The stable link of an item, whose text is laid.",
    ]
    static let limits: [String: FieldLimits] = ["path": .length(1...2_048), "link": .length(1...1_024)]
    static let exactlyOne = [["path", "link"]]
  }

  struct Result: Payload {
    var uri: String
    var path: String
    var line: Int
    static let example = Result(
      uri: "file:///home/ann/.local/state/commonplace/desk/3f9a02c1/diary/2026-11-26.md",
      path: "/home/ann/.local/state/commonplace/desk/3f9a02c1/diary/2026-11-26.md", line: 0)
    static let fields = [
      "uri": "The file, as editors name it.", "path": "Its path.", "line": "The line of the item, from 0.",
    ]
    static let limits: [String: FieldLimits] = ["uri": .form(.namingFiles), "path": .form(.absolutePath)]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let place = try place(params, in: snapshot)
    let path = TextPlaces(snapshot).canonical(place.path)
    do {
      guard let uri = try snapshot.services.desk.uri(of: path, in: snapshot) else {
        throw RPCError.noText(at: path)
      }
      return Result(uri: uri, path: snapshot.services.desk.file(of: path), line: place.line)
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }

  private static func place(_ params: Params, in snapshot: Snapshot) throws -> LineOfText {
    if let text = params.path {
      guard let path = TextPath(parsing: text) else {
        throw RPCError.invalidParams(field: "path", reason: Text("text.noText", ["uri": text]))
      }
      return LineOfText(path)
    }
    let text = params.link ?? ""
    guard let link = StableLink(text) else {
      throw RPCError.invalidParams(field: "link", reason: Text("links.noLink", ["link": text]))
    }
    guard let place = try TextPlaces(snapshot).place(of: TextTarget(link)) else {
      throw RPCError.notFound(link.collection, id: link.item)
    }
    return place
  }
}
