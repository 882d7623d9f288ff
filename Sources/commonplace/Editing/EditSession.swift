import Contract
import Daemon
import FoundationEssentials
import Glibc
import Wire

/// An item in an editor, until it is saved or the edit is abandoned.
struct EditSession {
  let item: ListedItem
  let style: FieldValue.Style
  let conversation: Conversation
  let place: Place
  /// The method that changes the item.
  let update: MethodDescription
  private let shape: Shape
  /// The names of the params in the front matter.
  private let fields: [String]
  /// The param for the text below them.
  private let text: String?

  private static let revision = "ifRevision"

  /// - Throws: `Failure` for an item that no method changes.
  init(item: ListedItem, style: FieldValue.Style, conversation: Conversation, place: Place) throws(Failure) {
    (self.item, self.style, self.conversation, self.place) = (item, style, conversation, place)
    guard let collection = place.voice.collections.first(where: { $0.name == item.collection }),
      let update = Self.update(of: collection.name, collection.shape()), case .object(let params) = update.params
    else {
      throw place.voice.failure(.usage, Text("command.notEditable", ["title": item.title]))
    }
    self.update = update
    shape = collection.shape()
    let known = params.fields.filter { [shape] in
      !["id", Self.revision].contains($0.name) && !$0.isSecret && Self.path(of: $0.name, in: shape) != nil
    }
    let text = known.first { $0.shape == .string && !$0.isLine }?.name
    // Fields that are parts of the text, as a title may be.
    let parts = (params.exactlyOne + params.atMostOne).filter { group in text.map(group.contains) == true }
    self.text = text
    fields = known.map(\.name).filter { name in name != text && !parts.contains { $0.contains(name) } }
  }

  /// The method that changes fields of an item, if no other client has changed it since.
  private static func update(of collection: String, _ shape: Shape) -> MethodDescription? {
    let methods = MethodNames.routes.lazy.filter { $0.name.contains("/update") }.map(\.description).filter { method in
      guard case .object(let params) = method.params else { return false }
      return params.needs("id") && params[field: revision] != nil
    }
    return methods.first { $0.area == collection && sameBytes($0.name, collection + "/update") }
      ?? methods.first { $0.result == shape }
  }

  /// The place in a reply of the value that a param sets: in the item, or in a part of it.
  private static func path(of name: String, in shape: Shape) -> [String]? {
    guard case .object(let object) = shape else { return nil }
    if object[field: name] != nil { return [name] }
    return object.fields.lazy.filter { !sameBytes($0.name, "display") }.map { [$0.name, name] }
      .first { shape.field(at: $0) != nil }
  }

  // MARK: - Versions

  private struct Version {
    var file: EditedFile
    var revision: JSONValue
  }

  private func current() async throws(Failure) -> Version {
    let reply = try await conversation.ask(
      KnownMethod.item, ["collection": .string(item.collection ?? ""), "id": .string(item.id)])
    guard reply["exists"] == true, let whole = reply["item"] else { throw place.noItem(item.title) }
    func value(_ name: String) -> JSONValue {
      Self.path(of: name, in: shape)?.reduce(whole) { $0?[$1] } ?? .null
    }
    var file = EditedFile(fields: JSONObject(), text: text.map { value($0).stringValue ?? "" })
    for name in fields { file.fields[name] = value(name) }
    return Version(file: file, revision: whole["revision"] ?? .null)
  }

  /// The changed values, as params.
  private func changes(_ new: EditedFile, since old: EditedFile) -> JSONObject {
    var changes = JSONObject()
    for name in fields where new.fields[name] != old.fields[name] { changes[name] = new.fields[name] }
    if let text, let content = new.text, !sameBytes(content, old.text ?? "") { changes[text] = .string(content) }
    return changes
  }

  /// How values are written, from the limits of numbers and the example of the method. An id has no example that means
  /// anything.
  private var hints: [String: String] {
    var hints: [String: String] = [:]
    for name in fields {
      guard let field = update.params.field(at: [name]), !field.isIDField else { continue }
      if let low = field.limits.minimum, let high = field.limits.maximum, !field.shape.isList {
        hints[name] = "\(Int(low))–\(Int(high))"
      } else if let example = update.exampleParams[name], !example.isNull, example != [] {
        hints[name] = FieldValue.text(of: example, style)
      }
    }
    return hints
  }

  // MARK: - Editing

  /// - Returns: the reply to the update; nil if nothing was changed.
  /// - Throws: `Failure`, which names the file if something in it was not saved.
  func run() async throws(Failure) -> JSONValue? {
    var base = try await current()
    var shown = base.file
    let temporary = try TemporaryText(shown.written(style, hints: hints), place)
    while true {
      let content = try temporary.edited()
      guard !sameBytes(content, temporary.written) else {
        if temporary.isConflict {
          throw temporary.named(in: place.voice.failure(.conflict, Text("command.editConflict")))
        }
        temporary.remove()
        Terminal.say("commonplace: " + place.voice.sentence(Text("command.unchanged")))
        return nil
      }
      var mine: EditedFile
      do {
        mine = try EditedFile.read(content, original: shown, update.params)
      } catch {
        let arguments = ["line": String(error.line), "content": error.content]
        throw temporary.named(in: place.voice.failure(.usage, Text("command.frontMatter", arguments)))
      }
      // Until it is saved, or another client has changed the same values.
      while true {
        let changes = changes(mine, since: base.file)
        if changes.isEmpty {
          temporary.remove()
          Terminal.say("commonplace: " + place.voice.sentence(Text("command.unchanged")))
          return nil
        }
        do {
          let reply = try await save(changes, mine, at: base.revision)
          temporary.remove()
          return reply
        } catch {
          guard error.kind == ErrorKind.conflict.rawValue, let theirs = try? await current(),
            theirs.revision != base.revision
          else { throw temporary.named(in: error) }
          let merge = EditMerge(base: base.file, mine: mine, theirs: theirs.file)
          (base, mine) = (theirs, merge.file)
          if merge.conflicts.isEmpty {
            Terminal.say("commonplace: " + place.voice.sentence(Text("command.merged")))
            continue
          }
          let lines = merge.conflicts.map(sentence)
          for line in lines { Terminal.say("commonplace: " + line) }
          shown = merge.file
          try temporary.rewrite(
            shown.written(style, remarks: lines.map { TerminalText.line($0, longest: .max) }, hints: hints))
          guard isatty(STDIN_FILENO) == 1 else {
            throw temporary.named(in: place.voice.failure(.conflict, Text("command.editConflict")))
          }
          break
        }
      }
    }
  }

  private func sentence(_ conflict: EditMerge.Conflict) -> String {
    guard let field = conflict.field else { return place.voice.sentence(Text("command.textConflict")) }
    return place.voice.sentence(
      Text(
        "command.fieldConflict",
        [
          "field": place.screen.label(field), "mine": FieldValue.text(of: conflict.mine, style),
          "theirs": FieldValue.text(of: conflict.theirs, style),
        ]))
  }

  /// The daemon stores the draft first, so that the text is not lost if the update fails.
  private func save(_ changes: JSONObject, _ file: EditedFile, at revision: JSONValue) async throws(Failure)
    -> JSONValue
  {
    if let draft = MethodNames.describe("\(update.area)/draft"), case .object(let params) = draft.params {
      var object: JSONObject = ["id": .string(item.id)]
      for field in params.fields {
        if let value = sameBytes(field.name, text ?? "") ? file.text.map({ .string($0) }) : file.fields[field.name],
          !value.isNull
        {
          object[field.name] = value
        }
      }
      // One that cannot be stored is refused by the update too, with the reason.
      _ = try? await conversation.client.call(draft.name, .object(object))
    }
    var params = changes
    params["id"] = .string(item.id)
    params[Self.revision] = revision
    return try await conversation.askPatiently(update.name, .object(params))
  }
}
