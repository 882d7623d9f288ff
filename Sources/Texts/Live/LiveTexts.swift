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
/// Of a file, the answer of a client proves nothing: some say that they have applied an edit which they have refused.
/// Only the text that comes back by `didChange` does, and until then the base stays and the merge is made again. A client
/// that does not take the edits, or cannot, gets one diagnostic, and its next save is merged as any other.
///
/// A text that is no file is saved against the version that the client names, and an edit of it names two: the one that
/// it was made for, and the one that the client's text is written from afterwards. The client refuses an edit that was
/// made for another version than it has, and answers with its own. So a save never means a version that only the daemon
/// believes the client to have: a card which is in that one and not in the text would be taken for a removed card.
final class LiveTexts: Sendable {
  private struct Key: Hashable {
    var connection: String
    var uri: String
  }

  private struct State {
    var awaited: Awaited?
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
    /// When the text was merged last.
    var mergedAt: ContinuousClock.Instant?

    /// The client has the edit that was awaited.
    mutating func arrive() { (awaited, failures, isBehind, isReported) = (nil, 0, false, false) }
  }

  /// An edit that was sent.
  private struct Awaited {
    /// The text that it makes, and the version that the client has then.
    var text: String
    var next: TextBase
    /// The stamp of the version that the client had.
    var from: String
    /// Whether the client has answered that it has applied the edit, and whether its text is another one since. A client
    /// that has applied it has both, in any order.
    var isApplied = false
    var isChanged = false
  }

  private let states = Mutex<[Key: State]>([:])

  /// After a commit, for what follows it at once. The first change after a quiet time is brought sooner.
  private static let settling = Duration.milliseconds(100)
  private static let first = Duration.milliseconds(10)
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
      for text in client.texts {
        guard let opened = services.openedPath(text.uri), opened.isFile || client.abilities.followsVersions else {
          continue
        }
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

  /// A client has saved a text that is no file: the version of its text is another one.
  func saved(_ path: TextPath, in connection: String) {
    states.withLock { states in
      for key in states.keys where key.connection == connection && TextPath(uri: key.uri) == path {
        states[key]?.failures = 0
        // Changes since that version are brought, even those that were read before.
        states[key]?.clock = 0
      }
    }
  }

  /// A client has opened a text that is no file.
  func show(_ text: OpenText, at path: TextPath, of client: LanguageClient, with services: Services) {
    let isFollowed = client.abilities.followsVersions
    let (key, connection) = (Key(connection: client.connectionID, uri: text.uri), client.connectionID)
    if isFollowed { states.withLock { $0[key] = State() } }
    let hash = Blobs.hash(of: Array(text.text.utf8))
    services.library.post(as: FeatureCaller.daemon(services), label: "text/live") { transaction in
      try TextBases.show(path, hash: hash, in: connection, isFollowed: isFollowed, transaction)
    } then: { [self] failure in
      if let failure { services.log("the version of an open text could not be stored: \(failure)") }
      if isFollowed { schedule(text.uri, of: client, with: services) }
      services.textDrafts.offer(at: OpenedPath(path: path, isFile: false), in: text.uri, to: client, with: services)
    }
  }

  /// The client has changed a text.
  func changed(_ text: OpenText, of client: LanguageClient, with services: Services) {
    let key = Key(connection: client.connectionID, uri: text.uri)
    guard let path = services.openedPath(text.uri) else { return }
    let (arrived, isBehind) = states.withLock { states -> (Awaited?, Bool) in
      guard var state = states[key] else { return (nil, false) }
      defer { states[key] = state }
      state.changedAt = .now
      // An edit of the text as it was is refused for that alone.
      if !path.isFile { state.failures = 0 }
      guard state.isBehind else { return (nil, false) }
      state.awaited?.isChanged = true
      if let awaited = state.awaited, path.isFile ? sameBytes(awaited.text, text.text) : awaited.isApplied {
        state.arrive()
        // There may have been another commit meanwhile.
        return (awaited, true)
      }
      if path.isFile { state.awaited = nil }
      return (nil, true)
    }
    if let arrived { advance(path, of: client, from: arrived.from, to: arrived.next) }
    if isBehind { schedule(text.uri, of: client, with: services) }
  }

  /// A client has answered to an edit of a text that is no file.
  private func answered(
    _ reply: JSONValue?, to edit: Awaited, in uri: String, at path: OpenedPath, of client: LanguageClient,
    with services: Services
  ) {
    let key = Key(connection: client.connectionID, uri: uri)
    let isApplied = reply?["applied"]?.boolValue ?? false
    let (isOver, hasArrived) = states.withLock { states -> (Bool, Bool) in
      guard var state = states[key], let awaited = state.awaited, sameBytes(awaited.text, edit.text) else {
        return (false, false)
      }
      defer { states[key] = state }
      if !isApplied {
        (state.awaited, state.clock) = (nil, 0)
      } else if awaited.isChanged {
        state.arrive()
      } else {
        state.awaited?.isApplied = true
      }
      return (state.awaited == nil, isApplied && awaited.isChanged)
    }
    guard isOver else { return }
    if hasArrived { advance(path, of: client, from: edit.from, to: edit.next) }
    guard !isApplied, let named = reply?["base"]?.stringValue else {
      return schedule(uri, of: client, with: services)
    }
    services.library.post(as: client.caller, label: "text/live") { transaction in
      transaction.keepSilent()
      let base = try TextBases.find(named, at: path.path, for: transaction.caller, in: transaction.snapshot)
      guard let base, sameBytes(base.path, path.path.text), try NamedBase(base).name == named else { return }
      try TextBases.show(base, at: path.path, in: transaction.caller.connectionID, transaction)
    } then: { [self] failure in
      if let failure { services.log("the version of an open text could not be stored: \(failure)") }
      schedule(uri, of: client, with: services)
    }
  }

  func closed(_ uri: String, in connection: String, with services: Services) {
    states.withLock { _ = $0.removeValue(forKey: Key(connection: connection, uri: uri)) }
    // The desk closes files.
    guard let opened = services.openedPath(uri), !opened.isFile else { return }
    services.library.post(as: FeatureCaller.daemon(services), label: "text/live") { transaction in
      transaction.keepSilent()
      try TextBases.close(opened, by: connection, in: transaction)
    } then: { failure in
      if let failure { services.log("the version of a closed text could not be forgotten: \(failure)") }
    }
  }

  func left(_ connection: String, with services: Services) {
    for key in states.withLock({ Array($0.keys) }) where key.connection == connection {
      closed(key.uri, in: connection, with: services)
    }
  }

  /// Whether a diagnostic says that a text was changed elsewhere.
  func isReported(_ uri: String, of client: LanguageClient) -> Bool {
    states.withLock { $0[Key(connection: client.connectionID, uri: uri)]?.isReported ?? false }
  }

  private func advance(_ opened: OpenedPath, of client: LanguageClient, from stamp: String, to next: TextBase) {
    let (caller, connection) = (client.caller, client.connectionID)
    // Queued before a save that the client sends next.
    caller.services.library.post(as: FeatureCaller.daemon(caller.services), label: "text/live") { transaction in
      try TextBases.advance(opened, openIn: connection, from: stamp, to: next, in: transaction)
    } then: { failure in
      if let failure { caller.services.log("the version of an open text could not be stored: \(failure)") }
    }
  }

  // MARK: - Merging

  private func schedule(
    _ uri: String, of client: LanguageClient, after wait: Duration? = nil, with services: Services
  ) {
    let key = Key(connection: client.connectionID, uri: uri)
    let wanted = states.withLock { states -> Duration? in
      defer { states[key]?.isScheduled = true }
      guard let state = states[key], !state.isScheduled else { return nil }
      let isQuiet = state.mergedAt.map { .now - $0 > Self.quiet } ?? true
      return wait ?? (isQuiet ? Self.first : Self.settling)
    }
    guard let wait = wanted else { return }
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
      guard let services, let text = client[uri], let path = services.openedPath(uri) else { return }
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
    var stamp: String
    var base: TextBase
    var merge: LiveMerge
    var conflicts: [(item: ItemKey, line: Int, message: Text)]
    /// Whether the client has changed its version.
    var isEdited: Bool
  }

  private func merge(_ text: OpenText, at path: OpenedPath, of client: LanguageClient, with services: Services)
    async throws
  {
    let key = Key(connection: client.connectionID, uri: text.uri)
    guard let state = states.withLock({ $0[key] }), state.awaited == nil else { return }
    let (step, clock) = try await services.library.read(as: client.caller) { snapshot in
      (try Self.step(text, at: path, of: client, state, in: snapshot), snapshot.clock)
    }
    states.withLock { states in
      states[key]?.clock = clock
      if step != nil { states[key]?.mergedAt = .now }
    }
    guard let step else { return }
    if sameBytes(step.merge.text, text.text) {
      // A client that names its version keeps it until it is sent another one.
      if path.isFile { advance(path, of: client, from: step.stamp, to: step.merge.next) }
      note(step, text, client, with: services) { state in
        (state.failures, state.isBehind, state.isReported) = (0, false, false)
      }
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
    let edit = Awaited(text: step.merge.text, next: step.merge.next, from: step.stamp)
    let versions =
      path.isFile
      ? nil
      : try await services.library.write(
        as: FeatureCaller.daemon(services), label: "text/live",
        returning: { try VersionStep(from: step.base, to: edit.next, in: $0) })
    guard let params = client.edit(text, to: edit.text, step: versions) else { return }
    let isOnly = states.withLock { states in
      guard let state = states[key], state.awaited == nil else { return false }
      states[key]?.awaited = edit
      return true
    }
    guard isOnly else { return }
    note(step, text, client, with: services) { state in
      state.isBehind = true
      state.failures += 1
    }
    send(edit, as: params, of: text.uri, at: path, to: client, with: services)
  }

  private static func step(
    _ text: OpenText, at opened: OpenedPath, of client: LanguageClient, _ state: State, in snapshot: Snapshot
  ) throws -> Step? {
    let (path, places) = (opened.path, TextPlaces(snapshot))
    guard let (base, stamp) = try TextBases.find(opened, openIn: client.connectionID, in: snapshot),
      try state.isBehind || base.lacksArrived
        || TextPlaces(snapshot).hasChanged(path, since: max(base.clock, state.clock)),
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
      stamp: stamp, base: base, merge: merge,
      conflicts: try merge.conflicts.map { ($0.item, $0.line, try snapshot.conflictMessage(of: $0.item)) },
      isEdited: !sameBytes(text.text, base.text))
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

  private func send(
    _ edit: Awaited, as params: JSONValue, of uri: String, at path: OpenedPath, to client: LanguageClient,
    with services: Services
  ) {
    let connection = client.connectionID
    Task { [self, weak services] in
      let reply = await services?.library.ask("workspace/applyEdit", params, of: connection)
      guard let services, !path.isFile else { return }
      answered(reply, to: edit, in: uri, at: path, of: client, with: services)
    }
    let key = Key(connection: connection, uri: uri)
    let pause = services.pause
    Task { [self, weak services] in
      await pause(Self.answering)
      let isAwaited = states.withLock { states in
        // A later edit has a timer of its own.
        guard let awaited = states[key]?.awaited, sameBytes(awaited.text, edit.text) else { return false }
        states[key]?.awaited = nil
        return true
      }
      if isAwaited, let services { schedule(uri, of: client, with: services) }
    }
  }
}

extension LanguageClient {
  /// The params of `workspace/applyEdit` that make another text of one that is open, line by line.
  ///
  /// - Parameters:
  ///   - label: what the edit is called in the client's list of changes.
  ///   - step: the versions of a text that is no file.
  func edit(_ text: OpenText, to new: String, label: String = "Commonplace", step: VersionStep?) -> JSONValue? {
    let edits = WrittenEdit.edits(from: text.text, to: new, in: caller.reader.positionEncoding)
    guard let written = try? edits.map({ try JSONEncoding.value(of: $0) }) else { return nil }
    return edit([(text, written)], label: label, step: step)
  }

  func edit(_ edits: [(text: OpenText, edits: [JSONValue])], label: String? = nil, step: VersionStep?) -> JSONValue {
    var params: JSONObject = ["edit": workspaceEdit(edits)]
    if let label { params["label"] = .string(label) }
    if let step { params["commonplace"] = ["from": .string(step.from), "base": .string(step.base)] }
    return .object(params)
  }
}

/// The version of a text that is no file which a client must have to apply an edit, and the one that it has afterwards.
struct VersionStep: Sendable {
  let from: String
  let base: String

  /// - Throws: `DatabaseError`; an error of encoding, which a base has none of.
  init(from base: TextBase, to next: TextBase, in transaction: Transaction) throws {
    let named = try NamedBase(next)
    // Before the client has the edit: it may save the text at once, even to the next daemon.
    try AnsweredSave.give(named, in: transaction)
    (from, self.base) = (try NamedBase(base).name, named.name)
  }
}

extension Services {
  var liveTexts: LiveTexts { memory.object(LiveTexts.self) { LiveTexts() } }
}
