import Contract
import Kit
import Store
import Wire

/// Saves cards from their lines, through the methods that every client calls.
extension Transaction {
  /// Adds a card; without a day it has no deadline.
  ///
  /// - Throws: `RPCError` for values that `projects/add` refuses.
  func addCard(_ line: CardLine, to board: String, as id: String? = nil) throws -> String {
    var values = try values(of: line, since: nil, for: nil)
    if values["deadline"] == nil { values["deadline"] = .null }
    values["board"] = .string(board)
    let id = id ?? services.newID()
    values["id"] = .string(id)
    _ = try AddProject.run(AddProject.Params.decode(from: .object(values), strict: true), in: self)
    return id
  }

  /// Applies the changes between two versions of a card's line, and of its body and steps if it is shown with them.
  ///
  /// - Throws: `RPCError` for values that `projects/update` refuses.
  func changeCard(
    _ id: String, from old: (line: CardLine, body: String?), to new: (line: CardLine, body: String?),
    steps: (old: [ProjectStep], new: [ProjectStep]) = ([], [])
  ) throws -> TextChange {
    let record = try snapshot.get(ProjectRecord.self, id: id)
    var values = try values(of: new.line, since: old.line, for: record)
    if let base = old.body, let body = new.body, !sameBytes(base, body) {
      guard ShownLines.isFaithful(record.body) else { throw RPCError(.readOnly, text: Text("text.unshowable")) }
      let merge = TextMerge(base: base, older: record.body, newer: body)
      if merge.overlaps { return .conflict }
      values["body"] = .string(merge.text)
    }
    if steps.old != steps.new {
      let lists = try [record.steps, steps.new, steps.old].map {
        try JSONParser.parse(StoredJSON($0).json).arrayValue ?? []
      }
      let merge = ListMerge(ours: lists[0], theirs: lists[1], base: lists[2], name: "text")
      if merge.overlaps { return .conflict }
      if merge.elements != lists[0] { values["steps"] = .array(merge.elements) }
    }
    if values.isEmpty { return .unchanged }
    let former = try replaced(by: values, since: old.line, in: record)
    values["id"] = .string(id)
    _ = try UpdateProject.run(UpdateProject.Params.decode(from: .object(values), strict: true), in: self)
    let changed = try snapshot.get(ProjectRecord.self, id: id)
    if changed.revision == record.revision { return .unchanged }
    if former.isEmpty { return .changed }
    // The text may have the others' value in other words, such as `due:tomorrow`: then nothing was replaced.
    let before = try CardLine(record, isDone: false, in: snapshot)
    var after = try CardLine(changed, isDone: false, in: snapshot)
    (after.tags, after.after) = (before.tags, before.after)
    let differing = try self.values(of: after, since: before, for: record)
    let lost = JSONObject(former.members.filter { differing[$0.key] != nil })
    return lost.isEmpty ? .changed : .replaced(former: lost)
  }

  /// The content of a card's draft with the changes between two versions of its text.
  ///
  /// - Throws: `RPCError` for values that `projects/draft` refuses.
  func draftContent(
    of record: ProjectRecord, from old: (line: CardLine, body: String), to new: (line: CardLine, body: String),
    steps: (old: [ProjectStep], new: [ProjectStep])
  ) throws -> String {
    var card = record
    var values = try values(of: new.line, since: old.line, for: record)
    if !sameBytes(old.body, new.body) { values["body"] = .string(new.body) }
    if steps.old != steps.new { values["steps"] = try JSONParser.parse(StoredJSON(steps.new).json) }
    try card.setDrafted(values, in: snapshot)
    if card.deadline == nil { card.time = nil }
    return try card.draftContent
  }

  /// The values of a card that others have written since a version of its line, and that other values replace.
  private func replaced(
    by values: JSONObject, since base: CardLine, in record: ProjectRecord
  ) throws -> JSONObject {
    // The line may have been written with days in words.
    let base = base.dated(in: snapshot)
    var line = try CardLine(record, isDone: base.isDone, in: snapshot)
    // Tags and blockers of both are merged.
    (line.tags, line.after) = (base.tags, base.after)
    let written = try self.values(of: line, since: base, for: record)
    return JSONObject(
      written.members.filter { member in values[member.key].map { $0 != member.value } ?? false })
  }

  /// The params of `projects/update` for the fields that differ between two versions; of `projects/add` for a new card.
  private func values(
    of line: CardLine, since base: CardLine?, for record: ProjectRecord?
  ) throws -> JSONObject {
    let old = base ?? CardLine()
    var values: JSONObject = [:]
    if base == nil || !sameBytes(line.title, old.title) { values["title"] = .string(line.title) }
    if line.due != old.due { values["deadline"] = line.due.map { .string($0) } ?? .null }
    if line.time != old.time { values["time"] = line.time.map { .string($0) } ?? .null }
    if line.start != old.start { values["start"] = line.start.map { .string($0) } ?? .null }
    if line.isSomeday != old.isSomeday { values["someday"] = .bool(line.isSomeday) }
    for sign in CardSign.all where line.signed[sign.name] != old.signed[sign.name] {
      values[sign.name] = line.signed[sign.name] ?? .null
    }
    if line.tags != old.tags {
      let ours = record?.tags ?? []
      let tags = ours == old.tags ? line.tags : SetMerge.elements(ours: ours, theirs: line.tags, base: old.tags)
      values["tags"] = .array(tags.map { .string($0) })
    }
    if line.after != old.after {
      let (base, theirs, ours) = (try blockers(old.after), try blockers(line.after), record?.blockedBy ?? [])
      let ids = ours == base ? theirs : SetMerge.elements(ours: ours, theirs: theirs, base: base)
      values["blockedBy"] = .array(ids.map { .string($0) })
    }
    if line.rule != old.rule {
      values["recurrence"] =
        try line.rule.map { rule in
          var recurrence = record?.recurrence ?? Recurrence(rule: rule)
          // The day from which the former rule counted, and its number, are not those of the new one.
          (recurrence.rule, recurrence.start, recurrence.done) = (rule, nil, nil)
          return try JSONParser.parse(recurrence.json())
        } ?? .null
    }
    return values
  }

  /// - Throws: `invalidParams` for an anchor of no card.
  private func blockers(_ anchors: [String]) throws -> [String] {
    try anchors.map { anchor in
      guard let id = try services.anchors.item(with: anchor, in: ProjectRecord.collectionName, for: snapshot) else {
        throw RPCError.invalidParams(field: "blockedBy", reason: Text("text.unknownAnchor", ["anchor": anchor]))
      }
      return id
    }
  }
}

extension CardLine {
  /// With its days in words written out; one that is no day stays.
  func dated(in snapshot: Snapshot) -> CardLine {
    var (line, card) = (self, ProjectRecord())
    card.deadline = due.flatMap { try? GivenDay(stringLiteral: $0).deadline(in: snapshot) }
    if let day = card.deadline { line.due = day.description }
    if let start, let given = try? JSONDecoding.decode(GivenStart.self, from: .string(start)),
      let day = try? given.start(deadline: card.deadline, in: snapshot)
    {
      line.start = day.description
    }
    return line
  }

  /// A card's line, without its anchor.
  init(_ record: ProjectRecord, isDone: Bool, in snapshot: Snapshot) throws {
    self.init()
    (self.isDone, title, tags) = (isDone, record.title, record.tags)
    for sign in CardSign.all { signed[sign.name] = sign.value(in: record) }
    (due, time, rule) = (record.deadline?.description, record.time, record.recurrence?.rule)
    (start, isSomeday) = (record.start?.description, record.isSomeday)
    if !record.blockedBy.isEmpty {
      after = try snapshot.services.anchors.anchors(
        of: record.blockedBy, in: ProjectRecord.collectionName, for: snapshot)
    }
  }
}
