import Contract
import Kit
import Store
import Wire

/// How the reader settles a conflict of an item in a file: with their own version, the library's, or both.
enum TextDecision: String, CaseIterable, Sendable {
  case mine, theirs, both

  /// What a client does after a decision.
  struct Settled: Sendable {
    /// What it writes into its text; nil for `mine`, which is saved as it is.
    var replaced: Replaced?
    /// The versions of a text that is no file.
    var step: VersionStep?
  }

  /// The lines of a text that a decision replaces; an empty text removes them.
  struct Replaced: Sendable {
    var lines: Range<Int>
    var text: String
  }

  /// Makes the library's version the one with which the next save of the item is compared, so that it is no conflict any
  /// more.
  ///
  /// - Parameter text: the file as the client has it.
  /// - Throws: `RPCError` of the kinds `notFound` and `conflict`; `StoreError`, `DatabaseError`.
  func settle(_ id: String, in text: String, at opened: OpenedPath, _ transaction: Transaction) throws -> Settled {
    let (path, places) = (opened.path, TextPlaces(transaction.snapshot))
    guard var base = try TextBases.find(of: opened, for: transaction.caller, in: transaction.snapshot) else {
      throw RPCError(.conflict, text: Text("text.baseLost", ["path": path.text]))
    }
    guard let editing = places.form(of: path)?.editing, let index = base.items.firstIndex(where: { $0.id == id }),
      let content = try editing.content(of: id, on: path, in: transaction.snapshot)
    else { throw RPCError.noText(at: path) }
    let text = TextSave.normalized(text, since: base.text)
    let parsed = try editing.parse(text, of: path, since: base.items, in: transaction.snapshot)
    let binding = try TextBinding(parsed.items, to: base.items, isSingle: !editing.removesMissing) { anchor in
      try transaction.services.anchors.item(with: anchor, in: editing.collection, for: transaction.snapshot)
    }
    let former = base
    base.items[index].content = content
    base.disputed?.removeAll { sameBytes($0, id) }
    try TextBases.keep(base, of: opened, in: transaction)
    let step = opened.isFile ? nil : try VersionStep(from: former, to: base, in: transaction)
    guard self != .mine, let place = binding.matches.firstIndex(of: .base(index)),
      let rendered = try places.render(path)
    else { return Settled(step: step) }
    let range = parsed.items[place].lines
    guard let item = rendered.items.first(where: { $0.id == id }) else {
      // The library's version is in another text.
      return Settled(replaced: self == .theirs ? Replaced(lines: range, text: "") : nil, step: step)
    }
    let ours = Array(TextLines.split(text)[range])
    let theirs = Array(TextLines.split(rendered.text)[item.lines])
    let lines = self == .theirs ? theirs : Self.both(ours, theirs)
    return Settled(replaced: Replaced(lines: range, text: lines.joined(separator: "\n")), step: step)
  }

  /// The library's lines below the client's, after a blank line; what both begin with once.
  private static func both(_ ours: [Substring], _ theirs: [Substring]) -> [Substring] {
    let same = zip(ours, theirs).prefix { sameBytes(String($0), String($1)) }.count
    let rest = Array(theirs.dropFirst(same))
    guard ours.last?.isEmpty == true else { return ours + [""] + rest }
    return ours + rest
  }
}

extension Services {
  /// Settles a conflict as a write of the client.
  ///
  /// - Throws: as `TextDecision.settle`, and `TextSave.file`.
  func settle(
    _ id: String, by decision: TextDecision, in text: String, at opened: OpenedPath, for caller: FeatureCaller
  ) async throws -> TextDecision.Settled {
    try await library.write(
      as: caller, label: "text/save",
      returning: { transaction in
        transaction.keepSilent()
        let settled = try decision.settle(id, in: text, at: opened, transaction)
        // The client saves a text that is no file itself.
        if decision == .mine, opened.isFile { _ = try TextSave.file(opened.path, text: text, in: transaction) }
        return settled
      })
  }
}
