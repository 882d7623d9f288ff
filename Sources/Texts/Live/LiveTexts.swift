import Contract
import Kit
import Store
import Synchronization
import Wire

/// Brings what others change in the library into the texts that clients have open.
///
///     commit ──► pause ──► merge (base, client's text, library's text) ──► workspace/applyEdit
///     didChange with the very text that was awaited ──► base
///
/// The answer of a client proves nothing: some say that they have applied an edit which they have refused. Only the
/// text that comes back by `didChange` does, and until then the base stays and the merge is made again. A client that
/// does not take the edits, or cannot, gets one diagnostic, and its next save is merged as any other.
final class LiveTexts: Sendable {
  private struct Key: Hashable {
    var connection: String
    var uri: String
  }

  private struct State {
    /// An edit that was sent: the text that it makes, and the version that the client has then.
    var awaited: (text: String, from: String, next: TextBase)?
    var failures = 0
    /// Whether the client's text may lack something that the library has.
    var isBehind = false
    /// Whether that is shown to the reader.
    var isReported = false
    /// The clock up to which the log of changes was read.
    var clock: Int64 = 0
    var isScheduled = false
    /// When the client changed the text.
    var changedAt: ContinuousClock.Instant?
  }

  private let states = Mutex<[Key: State]>([:])

  /// After a commit, for what follows it at once.
  private static let settling = Duration.milliseconds(100)
  /// After the last change by the client: nobody likes a text that moves while they type.
  private static let quiet = Duration.milliseconds(500)
  private static let mostPauses = 20
  /// For the text that an edit makes to come back.
  private static let answering = Duration.seconds(2)
  private static let mostFailures = 3

  // MARK: - Events

  /// The library has changed. Only schedules, since it is called on the writer's thread.
  func libraryChanged(with services: Services) {
    for client in services.languageClients.all {
      for text in client.texts where services.laidText(text.uri) != nil {
        schedule(text.uri, of: client, with: services)
      }
    }
  }

  /// The version with which a client's text is compared is stored: it was opened or saved.
  func begin(_ uri: String, of client: LanguageClient, with services: Services) {
    states.withLock { states in
      let key = Key(connection: client.connectionID, uri: uri)
      let old = states[key] ?? State()
      // An edit that is on its way is not sent twice.
      states[key] = State(
        awaited: old.awaited, isBehind: old.awaited != nil, isScheduled: old.isScheduled, changedAt: old.changedAt)
    }
    schedule(uri, of: client, with: services)
  }

  /// The client has changed a text.
  func changed(_ text: OpenText, of client: LanguageClient, with services: Services) {
    let key = Key(connection: client.connectionID, uri: text.uri)
    guard let path = services.laidText(text.uri) else { return }
    let (arrived, isBehind) = states.withLock { states -> (State?, Bool) in
      states[key]?.changedAt = .now
      guard let state = states[key], state.isBehind else { return (nil, false) }
      states[key]?.awaited = nil
      guard let awaited = state.awaited, sameBytes(awaited.text, text.text) else { return (nil, true) }
      states[key]?.failures = 0
      states[key]?.isBehind = false
      states[key]?.isReported = false
      // There may have been another commit meanwhile.
      return (state, true)
    }
    if let awaited = arrived?.awaited { advance(path, of: client, from: awaited.from, to: awaited.next) }
    if isBehind { schedule(text.uri, of: client, with: services) }
  }

  func closed(_ uri: String, of client: LanguageClient) {
    states.withLock { $0[Key(connection: client.connectionID, uri: uri)] = nil }
  }

  func left(_ connection: String) {
    states.withLock { states in states = states.filter { $0.key.connection != connection } }
  }

  /// Whether a diagnostic says that a text was changed elsewhere.
  func isReported(_ uri: String, of client: LanguageClient) -> Bool {
    states.withLock { $0[Key(connection: client.connectionID, uri: uri)]?.isReported ?? false }
  }

  private func advance(_ path: TextPath, of client: LanguageClient, from version: String, to next: TextBase) {
    let (caller, connection) = (client.caller, client.connectionID)
    // Queued before a save that the client sends next.
    caller.services.library.post(as: FeatureCaller.daemon(caller.services), label: "text/live") { transaction in
      try TextBases.advance(path, openIn: connection, from: version, to: next, in: transaction)
    } then: { failure in
      if let failure { caller.services.log("the version of an open text could not be stored: \(failure)") }
    }
  }

  // MARK: - Merging

  private func schedule(
    _ uri: String, of client: LanguageClient, after wait: Duration = LiveTexts.settling, with services: Services
  ) {
    let key = Key(connection: client.connectionID, uri: uri)
    let isNew = states.withLock { states in
      defer { states[key]?.isScheduled = true }
      return states[key].map { !$0.isScheduled } ?? false
    }
    guard isNew else { return }
    let pause = services.pause
    // A weak reference during the wait, so that the daemon can exit.
    Task { [self, weak services] in
      await pause(wait)
      for _ in 0..<Self.mostPauses {
        let changedAt = states.withLock { $0[key]?.changedAt }
        guard let rest = changedAt.map({ Self.quiet - (.now - $0) }), rest > .zero else { break }
        await pause(rest)
      }
      states.withLock { $0[key]?.isScheduled = false }
      guard let services, let text = client[uri], let path = services.laidText(uri) else { return }
      do {
        try await merge(text, at: path, of: client, with: services)
      } catch let error as RPCError where error == .shuttingDown {
        // The client leaves too.
      } catch {
        services.log("an open text could not be compared with the library: \(error)", as: .info)
      }
    }
  }

  private struct Step: Sendable {
    var version: String
    var merge: LiveMerge
    var conflicts: [(item: ItemKey, line: Int, message: Text)]
    /// Whether the client has changed its version.
    var isEdited: Bool
  }

  private func merge(_ text: OpenText, at path: TextPath, of client: LanguageClient, with services: Services)
    async throws
  {
    let key = Key(connection: client.connectionID, uri: text.uri)
    guard let state = states.withLock({ $0[key] }), state.awaited == nil else { return }
    let (step, clock) = try await services.library.read(as: client.caller) { snapshot in
      (try Self.step(text, at: path, of: client, state, in: snapshot), snapshot.clock)
    }
    states.withLock { $0[key]?.clock = clock }
    guard let step else { return }
    if sameBytes(step.merge.text, text.text) {
      advance(path, of: client, from: step.version, to: step.merge.next)
      note(step, text, client, with: services) { ($0.failures, $0.isBehind, $0.isReported) = (0, false, false) }
      return
    }
    // The merge is of an older text: the change that made the newer one has begun another.
    guard client[text.uri]?.version == text.version else {
      states.withLock { $0[key]?.isBehind = true }
      return schedule(text.uri, of: client, after: Self.quiet, with: services)
    }
    guard client.abilities.liveEdits, state.failures < Self.mostFailures else {
      // A file that the reader has not changed is written anew, and editors read it again.
      let isReported = client.abilities.liveEdits || step.isEdited
      return note(step, text, client, with: services) { ($0.isBehind, $0.isReported) = (true, isReported) }
    }
    note(step, text, client, with: services) { state in
      state.awaited = (step.merge.text, step.version, step.merge.next)
      state.isBehind = true
      state.failures += 1
    }
    send(step.merge.text, in: text, to: client, with: services)
  }

  private static func step(
    _ text: OpenText, at path: TextPath, of client: LanguageClient, _ state: State, in snapshot: Snapshot
  ) throws -> Step? {
    let places = TextPlaces(snapshot)
    guard let base = try TextBases.find(path, openIn: client.connectionID, in: snapshot),
      try state.isBehind || base.lacksArrived
        || hasChanged(path, since: max(base.clock, state.clock), in: snapshot),
      // A file with DOS line ends is merged when it is saved.
      sameBytes(TextSave.normalized(text.text, since: base.text), text.text),
      let rendered = try places.render(path)
    else { return nil }
    let merge = LiveMerge(base, text.text, rendered, clock: snapshot.clock)
    if sameBytes(merge.next.text, base.shown ?? base.text), merge.conflicts.isEmpty,
      sameBytes(merge.text, text.text), !state.isBehind
    {
      return nil
    }
    return Step(
      version: try base.name, merge: merge,
      conflicts: try merge.conflicts.map { ($0.item, $0.line, try snapshot.conflictMessage(of: $0.item)) },
      isEdited: !sameBytes(text.text, base.text))
  }

  /// Whether the collections of a text have changed since a clock.
  ///
  /// - Throws: `DatabaseError`.
  static func hasChanged(_ path: TextPath, since clock: Int64, in snapshot: Snapshot) throws -> Bool {
    guard let collections = TextPlaces(snapshot).form(of: path)?.collections else { return false }
    var isChanged = false
    try snapshot.db.each("SELECT DISTINCT collection FROM changes WHERE clock > ?", [.integer(clock)]) {
      isChanged = isChanged || collections.contains($0.text(0))
    }
    return isChanged
  }

  /// Notes the result of a merge, and shows it.
  private func note(
    _ step: Step, _ text: OpenText, _ client: LanguageClient, with services: Services, _ change: (inout State) -> Void
  ) {
    states.withLock { states in
      let key = Key(connection: client.connectionID, uri: text.uri)
      guard var state = states[key] else { return }
      change(&state)
      states[key] = state
    }
    let conflicts = step.conflicts.map { conflict in
      (item: conflict.item, line: conflict.line, message: client.caller.words(conflict.message))
    }
    client.noteConflicts(conflicts, in: OpenText.lines(of: step.merge.text), of: text.uri)
    Diagnostics.publishSoon(text.uri, of: client, with: services)
  }

  private func send(_ merged: String, in text: OpenText, to client: LanguageClient, with services: Services) {
    guard let params = client.edit(text, to: merged) else { return }
    let connection = client.connectionID
    Task { [weak services] in _ = await services?.library.ask("workspace/applyEdit", params, of: connection) }
    let key = Key(connection: connection, uri: text.uri)
    let pause = services.pause
    Task { [self, weak services] in
      await pause(Self.answering)
      let isAwaited = states.withLock { states in
        // A later edit has a timer of its own.
        guard let awaited = states[key]?.awaited, sameBytes(awaited.text, merged) else { return false }
        states[key]?.awaited = nil
        return true
      }
      if isAwaited, let services { schedule(text.uri, of: client, with: services) }
    }
  }
}

extension LanguageClient {
  /// The params of `workspace/applyEdit` that make another text of one that is open, line by line.
  func edit(_ text: OpenText, to new: String) -> JSONValue? {
    let edits = WrittenEdit.edits(from: text.text, to: new, in: caller.reader.positionEncoding)
    guard let written = try? edits.map({ try JSONEncoding.value(of: $0) }) else { return nil }
    return ["label": "Commonplace", "edit": workspaceEdit([(text, written)])]
  }
}

extension Services {
  var liveTexts: LiveTexts { memory.object(LiveTexts.self) { LiveTexts() } }
}
