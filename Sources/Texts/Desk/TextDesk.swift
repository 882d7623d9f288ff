import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// Lays texts of the library as files where any editor opens them, and keeps the files as the library is.
///
///     definition, text/path ──► lay ──► file, base
///     commit ──► wake ──► refresh ──► files that no client has open
///     file that another program has changed ──► saved as by a client ──► laid anew
///
/// A file that a client has open is not written: its editor has the newer text, and gets edits of it. Only one that a
/// client without live edits has not changed is, which editors read again. One of which a part could not be saved is
/// never written.
final class TextDesk: Sendable {
  private struct State {
    /// The connections that have a text open.
    var open: [TextPath: Set<String>] = [:]
    /// The bases of files that are not stored yet.
    var unstored: [TextPath: TextBase] = [:]
    /// The hashes of files that were written while a client had them open.
    var rewritten: [TextPath: (hash: String, size: Int)] = [:]
    /// The files as they were when they were read or written last.
    var stamps: [TextPath: DeskFolder.Stamp] = [:]
    /// The clock of the text that each file has: an older snapshot does not replace it.
    var clocks: [TextPath: Int64] = [:]
    var isFollowing = false
    /// Whether a queued refresh has not begun yet.
    var isWoken = false
    /// The clock up to which all files are as the library is.
    var refreshed: Int64 = 0
    var last: Task<Void, Never>?
  }

  private let folder: DeskFolder
  private let state = Mutex(State())
  private let knownPaths = Mutex<[String: TextPath?]>([:])
  /// Files are written one after another.
  private let writing = Mutex(())

  /// The most files.
  static let most = 200
  /// How often the files are checked: a program without a connection sends no notification of its changes.
  private static let interval = Duration.seconds(60)
  /// Changes of a moment are written together.
  private static let settling = Duration.milliseconds(200)

  init(_ services: Services) { folder = DeskFolder(services) }

  // MARK: - Where texts are

  /// The text that a URI names: a `commonplace:` URI, or a file that belongs to a text; nil for any other.
  ///
  /// Each key in an open text asks several times, so the answers are stored.
  func path(of uri: String) -> TextPath? {
    if let known = knownPaths.withLock({ $0[uri] }) { return known }
    let path = TextPath(uri: uri) ?? folder.text(ofFile: uri)
    // Until the folder is there, its real path is not known.
    guard uri.utf8.count <= Self.longestStored, path != nil || folder.exists else { return path }
    knownPaths.withLock { paths in
      if paths.count == Self.mostStored { paths.removeAll() }
      paths[uri] = .some(path)
    }
    return path
  }

  private static let mostStored = 1_024
  private static let longestStored = 1_024

  /// Where items are shown, in the order of the targets; nil for an item that no text shows. A file is there when this
  /// returns.
  ///
  /// - Throws: as `LibraryTextForm.render`; `FileFailure`.
  func locate(
    _ targets: [TextTarget], for caller: FeatureCaller, as documents: ShownDocuments
  ) async throws -> [TextLocation?] {
    try await caller.services.library.read(as: caller) { [self] snapshot in
      try targets.map { try locate($0, as: documents, in: snapshot) }
    }
  }

  /// The same for one item.
  ///
  /// - Parameter asLaid: whether a file that is there may stay as it is until it is written anew after a commit.
  /// - Throws: as above.
  func locate(
    _ target: TextTarget, as documents: ShownDocuments, asLaid: Bool = false, in snapshot: Snapshot
  ) throws -> TextLocation? {
    let places = TextPlaces(snapshot)
    guard let place = try places.place(of: target) else { return nil }
    let isVirtual =
      documents == .virtual || documents == .editableFiles && places.form(of: place.path)?.editing == nil
    if isVirtual { return TextLocation(uri: place.path.uri, line: place.line) }
    let path = places.canonical(place.path)
    let uri = asLaid && folder.has(path) ? folder.uri(of: path) : try uri(of: path, in: snapshot)
    return uri.map { TextLocation(uri: $0, line: place.line) }
  }

  /// The `file:` URI of a text, which is there when this returns; nil if the library has nothing for the path.
  ///
  /// - Throws: `RPCError` of a text that cannot be rendered; `FileFailure`, `StoreError`, `DatabaseError`.
  func uri(of path: TextPath, in snapshot: Snapshot) throws -> String? {
    let path = TextPlaces(snapshot).canonical(path)
    guard try lay(path, in: snapshot) else { return nil }
    return folder.uri(of: path)
  }

  /// The path of the file of a text.
  func file(of path: TextPath) -> String { folder.file(of: path) }

  // MARK: - Open texts

  /// From now on a client has the newest text of a file.
  ///
  /// - Parameters:
  ///   - text: the text as the client has it.
  ///   - stored: called once the version that it edits is stored.
  func opened(
    _ path: TextPath, as text: String, by connection: String, with services: Services,
    stored: @escaping @Sendable () -> Void
  ) {
    state.withLock { _ = $0.open[path, default: []].insert(connection) }
    let hash = Blobs.hash(of: Array(text.utf8))
    post(services, stored) { try TextBases.open(path, hash: hash, by: connection, in: $0) }
  }

  /// A client has changed a text: it may have read a file again that was written meanwhile.
  func changed(_ path: TextPath, _ text: OpenText, by connection: String, with services: Services) {
    guard let file = state.withLock({ $0.rewritten[path] }), file.size == text.byteCount,
      file.hash == Blobs.hash(of: Array(text.text.utf8))
    else { return }
    post(services) { try TextBases.open(path, hash: file.hash, by: connection, in: $0) }
  }

  func closed(_ path: TextPath, by connection: String, with services: Services) {
    let isClosed = state.withLock { state in
      guard state.open[path]?.remove(connection) != nil else { return false }
      if state.open[path]?.isEmpty == true {
        state.open[path] = nil
        state.rewritten[path] = nil
      }
      return state.open[path] == nil
    }
    // Queued after a save that the client has sent before.
    let release: @Sendable () -> Void = { services.anchors.release(TextAnchors.Holder(path, of: connection)) }
    post(services, release) {
      try TextBases.close(OpenedPath(path: path, isFile: true), by: connection, in: $0)
    }
    if isClosed { queue(only: path, with: services) }
  }

  /// A client has disconnected.
  func left(_ connection: String, with services: Services) {
    let closed = state.withLock { state in
      state.open.filter { $0.value.contains(connection) }.map(\.key)
    }
    for path in closed { self.closed(path, by: connection, with: services) }
  }

  private func post(
    _ services: Services, _ stored: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (Transaction) throws -> Void
  ) {
    services.library.post(as: FeatureCaller.daemon(services), label: "text/lay", body) { failure in
      if let failure { services.log("the version of an open text could not be stored: \(failure)") }
      stored()
    }
  }

  /// Whether all clients that have a file open have it as it is there, and get no edits of it.
  private func isReread(_ path: TextPath, _ file: [UInt8], _ services: Services) -> Bool {
    state.withLock { $0.open[path] ?? [] }.allSatisfy { connection in
      guard let client = services.languageClients[connection], !client.abilities.liveEdits else { return false }
      return client.texts.contains { services.laidText($0.uri) == path && $0.text.utf8.elementsEqual(file) }
    }
  }

  func isOpen(_ path: TextPath) -> Bool { state.withLock { $0.open[path] != nil } }

  /// The base of a file that was just laid.
  func unstored(_ path: TextPath) -> TextBase? { state.withLock { $0.unstored[path] } }

  // MARK: - Laying

  /// Writes the file of a text, if it may be written and is not as the library is.
  ///
  /// - Returns: false if the library has nothing for the path.
  private func lay(_ path: TextPath, in snapshot: Snapshot) throws -> Bool {
    guard let rendered = try TextPlaces(snapshot).render(path) else { return false }
    follow(snapshot.services)
    if isOpen(path), let file = try folder.read(path), !isReread(path, file, snapshot.services) { return true }
    let base = try state.withLock { $0.unstored[path] } ?? TextBases.find(TextBases.name(ofFile: path), in: snapshot)
    try writing.withLock { _ in
      note(folder.stamp(of: path), of: path)
      let there = try folder.read(path)
      let bytes = Array(rendered.text.utf8)
      if let there, there == bytes, let base, sameBytes(base.text, rendered.text) { return }
      if let there, there != bytes {
        guard let base, Blobs.hash(of: there) == base.hash else {
          // An editor has just saved it, and says so itself.
          if isOpen(path) { return }
          // An older snapshot does not know the newest base, or that there is one.
          if base != nil || wasLaid(path, at: snapshot.clock), let text = String(validating: there, as: UTF8.self) {
            return save(text, at: path, with: snapshot.services)
          }
          try folder.setAside(path)
          return try put(rendered, at: path, in: snapshot)
        }
        guard base.isWhole, isNewest(path, snapshot.clock) else { return }
      }
      try put(rendered, at: path, in: snapshot)
    }
    return true
  }

  private func isNewest(_ path: TextPath, _ clock: Int64) -> Bool {
    state.withLock { $0.clocks[path] ?? 0 <= clock }
  }

  /// Whether the file was laid from this very state of the library.
  private func wasLaid(_ path: TextPath, at clock: Int64) -> Bool { state.withLock { $0.clocks[path] == clock } }

  private func put(_ rendered: RenderedText, at path: TextPath, in snapshot: Snapshot) throws {
    let bytes = Array(rendered.text.utf8)
    note(try folder.write(bytes, as: path), of: path)
    state.withLock { state in
      if state.open[path] != nil { state.rewritten[path] = (Blobs.hash(of: bytes), bytes.count) }
      if state.clocks.count > 4 * Self.most { state.clocks.removeAll() }
      state.clocks[path] = snapshot.clock
    }
    let base = TextBase(path, rendered, in: snapshot)
    state.withLock { $0.unstored[path] = base }
    let services = snapshot.services
    services.library.post(as: FeatureCaller.daemon(services), label: "text/lay") { transaction in
      // A client may have saved the file meanwhile.
      if services.desk.isOpen(path),
        let known = try TextBases.find(TextBases.name(ofFile: path), in: transaction.snapshot),
        known.clock > base.clock
      {
        return transaction.keepSilent()
      }
      try TextBases.keep(base, ofFile: path, in: transaction)
    } then: { [self] failure in
      state.withLock { state in
        if state.unstored[path]?.clock == base.clock { state.unstored[path] = nil }
      }
      if let failure { services.log("the base of \(path.text) could not be stored: \(failure)") }
    }
  }

  private func note(_ stamp: DeskFolder.Stamp?, of path: TextPath) {
    state.withLock { state in
      if state.stamps.count > 4 * Self.most { state.stamps.removeAll() }
      state.stamps[path] = stamp
    }
  }

  /// Saves a file that a program without a connection has changed.
  private func save(_ text: String, at path: TextPath, with services: Services) {
    let daemon = FeatureCaller.daemon(services)
    let caller = FeatureCaller(
      clientName: "desk", connectionID: "desk", reader: daemon.reader, services: services)
    services.library.post(as: caller, label: "text/save") { transaction in
      let base = try TextBases.find(TextBases.name(ofFile: path), in: transaction.snapshot)
      guard let base, base.hash != Blobs.hash(of: Array(text.utf8)) else { return transaction.keepSilent() }
      let outcome = try TextSave.file(path, text: text, in: transaction)
      guard !outcome.isWhole else { return }
      // `session/status` reports it: nobody is there to ask.
      transaction.services.log(
        "the file \(path.text) was changed and not all of it could be saved, \(outcome.held.count) missing items were kept: "
          + "it stays as it is until it is opened in an editor or deleted")
    } then: { failure in
      if let failure { services.log("the file \(path.text) could not be saved: \(failure)") }
    }
  }

  // MARK: - Following the library

  /// Refreshes what an earlier daemon has laid.
  func begin(with services: Services) {
    guard folder.exists else { return }
    follow(services)
    wake(services)
  }

  /// A new day has begun: the files of the texts that follow it are written anew.
  ///
  /// - Throws: `DatabaseError`.
  func dayTurned(in snapshot: Snapshot) throws {
    for path in try paths(snapshot) where TextPlaces(snapshot).form(of: path)?.followsDay == true {
      queue(only: path, with: snapshot.services)
    }
  }

  private func follow(_ services: Services) {
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing
    }
    guard isFirst else { return }
    services.library.follow { [weak services] in
      guard let services else { return }
      services.desk.wake(services)
    }
    let pause = services.pause
    // A weak reference during the wait, so that the daemon can exit.
    Task.detached { [weak self, weak services] in
      while true {
        await pause(Self.interval)
        guard let self, let services, await look(with: services) else { return }
      }
    }
  }

  /// Reads the files that other programs have written since they were read.
  ///
  /// - Returns: false once the library is closed.
  private func look(with services: Services) async -> Bool {
    do {
      let laid = try await services.library.read(as: FeatureCaller.daemon(services)) { [self] in try paths($0) }
      for path in laid where !isOpen(path) {
        guard let stamp = folder.stamp(of: path), state.withLock({ $0.stamps[path] != stamp }) else { continue }
        queue(only: path, with: services)
      }
      return true
    } catch let error as RPCError where error == .shuttingDown {
      return false
    } catch {
      services.log("the texts on the desk could not be checked: \(error)")
      return true
    }
  }

  /// Only queues a refresh, since it is called on the writer's thread.
  private func wake(_ services: Services) {
    let isNew = state.withLock { state in
      defer { state.isWoken = true }
      return !state.isWoken
    }
    if isNew { queue(only: nil, with: services) }
  }

  private func queue(only path: TextPath?, with services: Services) {
    state.withLock { state in
      let previous = state.last
      state.last = Task { [self, weak services] in
        await previous?.value
        guard let services else { return }
        if path == nil { await services.pause(Self.settling) }
        await refresh(only: path, with: services)
      }
    }
  }

  /// Waits for all queued refreshes.
  func settle() async { await state.withLock(\.last)?.value }

  private func refresh(only path: TextPath?, with services: Services) async {
    let since = state.withLock { state in
      if path == nil { state.isWoken = false }
      return state.refreshed
    }
    do {
      try await services.library.read(as: FeatureCaller.daemon(services)) { [self] snapshot in
        for laid in try path.map({ [$0] }) ?? stale(since: since, in: snapshot) where folder.has(laid) {
          // One that cannot be rendered any more stays as it is.
          do {
            if try !lay(laid, in: snapshot) { try clear(laid, in: snapshot) }
          } catch let failure as FileFailure {
            services.log("the file \(laid.text) could not be written: \(failure.reason)")
          } catch is RPCError {}
        }
        if path == nil { state.withLock { $0.refreshed = snapshot.clock } }
      }
      if path == nil { try await forgetUnused(services) }
    } catch let error as RPCError where error == .shuttingDown {
      // The next daemon refreshes them.
    } catch {
      services.log("the texts on the desk could not be refreshed: \(error)")
    }
  }

  /// Removes the file of a text for which the library has nothing any more, unless somebody has changed it.
  private func clear(_ path: TextPath, in snapshot: Snapshot) throws {
    let base = try TextBases.find(TextBases.name(ofFile: path), in: snapshot)
    guard let base, base.isWhole, !isOpen(path) else { return }
    try writing.withLock { _ in
      if let bytes = try folder.read(path), Blobs.hash(of: bytes) == base.hash { folder.remove(path) }
    }
  }

  /// The files whose collections have changed.
  private func stale(since clock: Int64, in snapshot: Snapshot) throws -> [TextPath] {
    let laid = try paths(snapshot)
    // Of a daemon that has just started, all are compared: the whole log would take longer to read.
    if clock == 0 || laid.isEmpty { return laid }
    var changed: Set<String> = []
    try snapshot.db.each("SELECT DISTINCT collection FROM changes WHERE clock > ?", [.integer(clock)]) {
      changed.insert($0.text(0))
    }
    return laid.filter { path in
      TextPlaces(snapshot).form(of: path).map { !$0.collections.isDisjoint(with: changed) } ?? false
    }
  }

  /// The paths of all files, the longest unused first.
  private func paths(_ snapshot: Snapshot) throws -> [TextPath] {
    try snapshot.db.texts("SELECT path FROM textBase WHERE isLaid = 1 ORDER BY usedAt, name").compactMap {
      TextPath(parsing: $0)
    }
  }

  /// Removes the files that were not used for the longest time, and the bases of those that somebody has removed.
  private func forgetUnused(_ services: Services) async throws {
    let known = try await services.library.read(as: FeatureCaller.daemon(services)) { [self] in try paths($0) }
    let unused = known.prefix(max(0, known.count - Self.most)).filter { !isOpen($0) }
    let gone = known.filter { !folder.has($0) && !isOpen($0) }
    if unused.isEmpty, gone.isEmpty { return }
    try await services.library.write(as: FeatureCaller.daemon(services), label: "text/lay") { [folder] transaction in
      transaction.keepSilent()
      for path in unused {
        let base = try TextBases.find(TextBases.name(ofFile: path), in: transaction.snapshot)
        // One that differs is somebody's work.
        guard let base, base.isWhole, let bytes = try? folder.read(path), Blobs.hash(of: bytes) == base.hash else {
          continue
        }
        folder.remove(path)
        try TextBases.forget(TextBases.name(ofFile: path), in: transaction)
      }
      for path in gone { try TextBases.forget(TextBases.name(ofFile: path), in: transaction) }
    }
  }
}

extension Services {
  var desk: TextDesk { memory.object(TextDesk.self) { TextDesk(self) } }
}
