import Contract
import Kit
import Store
import Wire

enum SaveLibraryText: WriteMethod {
  static let name = "text/save"
  static let summary =
    "Saves an edited text into the library, in one step for `changes/undo`. It is compared with the version that was "
    + "edited, so that what others have changed meanwhile stays. A line that is missing is a removed item; of many missing "
    + "ones none is removed without `remove`. The same save again, after a lost reply, changes nothing and has the same "
    + "result."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.ambiguous, .notFound, .conflict, .tooLarge]

  struct Params: Payload {
    var uri: String
    var base: String
    var text: String
    var version: Int?
    var remove: [String]?
    var removeAll: Bool?
    static let example = Params(
      uri: "commonplace:///text/diary/entry/0192.md", base: "3f9a02c1", text: "A walk along the river.", version: 3,
      remove: nil, removeAll: nil)
    static let fields = [
      "uri": "The text.", "base": "The version that was edited, as `text/open` or the last `text/save` named it.",
      "text": "The whole text.", "version": "The editor's own number of this text; not looked at.",
      "remove": "The anchors of missing items that may be removed in any case.",
      "removeAll": "Whether all missing items may be removed.",
    ]
    static let limits: [String: FieldLimits] = [
      "uri": .length(1...8_192), "base": .length(1...64), "text": .length(0...RenderedText.mostBytes),
      "remove": .length(0...10_000),
    ]
    static let atMostOne = [["remove", "removeAll"]]
  }
  typealias Result = SavedText

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedText {
    let snapshot = transaction.snapshot
    let path = TextPlaces(snapshot).canonical(try snapshot.textPath(params.uri, field: "uri"))
    var save = params
    save.version = nil
    let answered = AnsweredSave(try JSONEncoding.bytes(of: save), since: params.base, to: path, in: snapshot)
    if let reply = try answered.reply(in: snapshot) {
      transaction.keepSilent()
      return reply
    }
    guard let base = try TextBases.find(params.base, at: path, for: transaction.caller, in: snapshot),
      sameBytes(base.path, path.text)
    else {
      throw RPCError(.conflict, text: Text("text.baseLost", ["path": path.text]))
    }
    let granted: GrantedRemoval =
      params.removeAll == true ? .all : params.remove.map { .anchors(Set($0)) } ?? .usual
    let client = snapshot.feature.language
    let isShown = client?.shows(path) ?? false
    let isFollowed = isShown && client?.abilities.followsVersions ?? false
    let before = try TextSave.others(base, at: path, in: snapshot)
    let outcome = try TextSave.run(path, text: params.text, base: base, removing: granted, in: transaction)
    guard let rendered = try TextPlaces(snapshot).render(path) else {
      throw RPCError.noText(at: path)
    }
    let composed = ComposedText.make(rendered, after: outcome)
    var next = TextBase(
      path, text: composed.text, items: composed.items, isReadOnly: rendered.isReadOnly, in: snapshot)
    next.carry(base, after: outcome)
    if !sameBytes(rendered.text, composed.text) { (next.shown, next.isWhole) = (rendered.text, false) }
    let named = try NamedBase(next)
    try AnsweredSave.give(named, in: transaction)
    let edits = WrittenEdit.edits(from: params.text, to: composed.text, in: snapshot.reader.positionEncoding)
    // Also without edits: a client whose user has typed on may go on from the version that it has named, and one that
    // names what may be removed sends the same text.
    if isFollowed || !outcome.held.isEmpty, !sameBytes(named.name, params.base) {
      let sent = TextBase(path, outcome, since: base, before, rendered, in: snapshot)
      try TextBases.keep(sent, sentFrom: params.base, in: transaction)
    }
    if isFollowed {
      try TextBases.show(next, at: path, in: transaction.caller.connectionID, transaction)
      snapshot.services.liveTexts.saved(path, in: transaction.caller.connectionID)
    } else if isShown {
      try TextBases.show(next, at: path, in: transaction.caller.connectionID, isFollowed: false, transaction)
    }
    let reply = SavedText(outcome, uri: path.uri, base: named.name, edits: edits, in: transaction)
    try answered.keep(reply, in: transaction)
    client?.note(reply, of: params.text, at: params.uri)
    return reply
  }
}
