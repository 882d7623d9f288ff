import Contract
import Kit
import Store
import Wire

/// Saves a text into the library: as one commit, or none if nothing has changed.
enum TextSave {
  /// - Parameter base: the version that the client edited.
  /// - Throws: `RPCError` of the kinds `notFound`, `readOnly`, `tooLarge`; `StoreError`, `DatabaseError`.
  static func run(
    _ path: TextPath, text: String, base: TextBase, removing granted: GrantedRemoval = .usual,
    in transaction: Transaction
  ) throws -> TextSaveOutcome {
    guard let form = TextPlaces(transaction.snapshot).form(of: path) else {
      throw RPCError.noText(at: path)
    }
    guard let editing = form.editing, !base.isReadOnly else {
      throw RPCError(.readOnly, text: Text("text.readOnly", ["path": path.text]))
    }
    guard text.utf8.count <= RenderedText.mostBytes else { throw RPCError(.tooLarge, text: Text("text.tooLarge")) }
    transaction.label = "text/save"
    var saving = TextSaving(path, normalized(text, since: base.text), base, editing, transaction)
    try saving.run(granted)
    if saving.outcome.isWhole {
      _ = try TextDrafts.discard(path, of: transaction.caller.connectionID, in: transaction)
    }
    return saving.outcome
  }

  /// Saves a file of the desk.
  ///
  /// - Parameter given: the version that the text is compared with, if it is not the stored one.
  /// - Throws: as `run`; `conflict` for a file whose base is lost.
  static func file(
    _ path: TextPath, text: String, since given: TextBase? = nil, removing granted: GrantedRemoval = .usual,
    in transaction: Transaction
  ) throws -> TextSaveOutcome {
    let opened = OpenedPath(path: path, isFile: true)
    guard let base = try given ?? TextBases.find(of: opened, for: transaction.caller, in: transaction.snapshot) else {
      throw RPCError(.conflict, text: Text("text.baseLost", ["path": path.text]))
    }
    let before = try others(base, at: path, in: transaction.snapshot)
    let outcome = try run(path, text: text, base: base, removing: granted, in: transaction)
    let rendered = try TextPlaces(transaction.snapshot).render(path)
    var next = TextBase(path, outcome, since: base, before, rendered, in: transaction.snapshot)
    // The file is exactly what the editor wrote, which also is what its hash is compared with.
    next.fileHash = Blobs.hash(of: Array(text.utf8))
    try TextBases.keep(next, of: opened, in: transaction)
    return outcome
  }

  /// The text before a save, if it has changes of others that the client does not have yet.
  ///
  /// - Throws: `RPCError` of a text that cannot be rendered; `StoreError`, `DatabaseError`.
  static func others(_ base: TextBase, at path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    try TextPlaces(snapshot).hasChanged(path, since: base.clock) ? TextPlaces(snapshot).render(path) : nil
  }

  /// Without a byte order mark, and without the CR of DOS line ends, unless the base has them.
  static func normalized(_ text: String, since base: String) -> String {
    var scalars = text.unicodeScalars[...]
    if scalars.first == "\u{FEFF}", base.unicodeScalars.first != "\u{FEFF}" { scalars.removeFirst() }
    let lines = TextLines.split(String(scalars))
    let carriageReturn = UInt8(ascii: "\r")
    let isDOS =
      lines.count > 1 && lines.dropLast().allSatisfy { $0.utf8.last == carriageReturn }
      && !TextLines.split(base).dropLast().allSatisfy { $0.utf8.last == carriageReturn }
    guard isDOS else { return String(scalars) }
    return (lines.dropLast().map { Substring($0.utf8.dropLast()) } + [lines[lines.count - 1]]).joined(separator: "\n")
  }
}

extension TextBase {
  /// The version that a client has after a save, whose text is what it sent: changes of others that it does not have
  /// yet stay to be brought.
  ///
  /// - Parameters:
  ///   - before: as `TextSave.others`, before the save.
  ///   - rendered: the text after the save.
  init(
    _ path: TextPath, _ outcome: TextSaveOutcome, since base: TextBase, _ before: RenderedText?,
    _ rendered: RenderedText?, in snapshot: Snapshot
  ) {
    self.init(path, text: outcome.text, items: outcome.items, in: snapshot)
    carry(base, after: outcome)
    isWhole = outcome.isWhole
    guard let rendered else { return }
    let held = Set(outcome.held.map(\.key.id))
    let saved = LibraryVersion(rendered, without: held).text
    let known = before.map { before in
      let merge = LineMerge(
        base: LibraryVersion(before, without: held).text, theirs: saved, ours: base.shown ?? base.text)
      return TextBase.known(merge, of: saved, after: outcome)
    }
    if let known, !sameBytes(known, saved) { clock = base.clock }
    if !sameBytes(known ?? saved, text) { shown = known ?? saved }
  }

  /// The library's text as far as the client has it. Of a line that others had changed too, and that was saved all the
  /// same, that is what the client wrote.
  private static func known(_ merge: LineMerge, of saved: String, after outcome: TextSaveOutcome) -> String {
    if merge.overlaps.isEmpty { return merge.text }
    let conflicts = Set(outcome.problems.filter { $0.kind == .conflict }.compactMap { $0.item?.id })
    let settled = Set(outcome.items.filter { !conflicts.contains($0.id) }.compactMap(\.anchor))
    let (source, written) = (TextLines.split(saved), TextLines.split(outcome.text))
    var lines = TextLines.split(merge.text)
    for anchor in merge.overlaps.flatMap({ source[$0.theirs].compactMap { TextAnchor.split($0).anchor } })
    where settled.contains(anchor) {
      func place(in lines: [Substring]) -> Int? { lines.firstIndex { $0.hasSuffix(" ^" + anchor) } }
      if let mine = place(in: written), let line = place(in: lines) { lines[line] = written[mine] }
    }
    return lines.joined(separator: "\n")
  }

  /// What the version after a save has from the one before it.
  mutating func carry(_ base: TextBase, after outcome: TextSaveOutcome) {
    // A save that changes nothing is no commit: the next one gets its clock.
    if !outcome.isChange { clock -= 1 }
    arrived = base.arrived.map { arrived in outcome.held.map(\.key.id).filter(arrived.contains) }
    let conflicts = outcome.problems.filter { $0.kind == .conflict }.compactMap { $0.item?.id }
    disputed = conflicts.isEmpty ? nil : conflicts
  }
}
