import Kit
import SearchEngine
import Store
import Wire

/// Updates a folder to the library's state.
///
/// Files of unchanged items are not read. A file that is to be replaced is read first: if somebody edited it, it is
/// renamed, so that the mirror destroys no text, and an import gets both versions.
struct MirrorPass<Item: MirroredItem> {
  let path: String
  let marker: String
  let services: Services

  /// An item to write, or a file to remove.
  private struct Job: Sendable {
    var id: String
    var item: Item?
    /// The files that its text shows.
    var shown: [String: FileRecord]
    var file: MirroredFile?
    /// What the library wrote into the file, by column.
    var written: [String: String]
  }

  private static var jobCount: Int { 200 }

  /// Returns the state of the folder; `known` is nil if the folder was not read yet. If it was read by this pass, also
  /// returns the names of files that differ from their items.
  func run(known: MirroredState?) async throws -> (state: MirroredState, edited: [String]) {
    let (path, marker, library, blobs) = (path, marker, services.library.identity, services.blobs)
    var files = try await onThread { _ in
      let folder = try MirrorFolder(opening: path, marker: marker)
      return try known?.files ?? folder.items(Item.self, of: library)
    }
    let (ids, edited, clock) = try await outdated(files, since: known?.clock)
    if known == nil { try await removeUnused() }
    guard !ids.isEmpty else { return (MirroredState(clock: clock, files: files), edited) }
    // Before the first write: the kernel reports write errors only to file descriptors that are open at that time.
    let place = NamedPlace(path)
    let held = try OpenFolder(opening: place.path)
    var names = MirrorNames(files)
    for start in stride(from: 0, to: ids.count, by: Self.jobCount) {
      let jobs = try await jobs(for: Array(ids[start..<min(start + Self.jobCount, ids.count)]), files: files)
      let (written, known) = try await onThread { [names] _ in
        var names = names
        let folder = try MirrorFolder(opening: path, marker: marker)
        var written: [(id: String, file: MirroredFile?)] = []
        for job in jobs {
          // First the files, then the text that shows them.
          for file in job.shown.values { try folder.write(file, from: blobs) }
          written.append((job.id, try Self.perform(job, of: library, names: names, in: folder)))
          names.set(written.last?.file?.name, after: job.file?.name, of: job.id)
        }
        return (written, names)
      }
      for (id, file) in written { files[id] = file }
      names = known
    }
    // When a client gets the reply, the folder survives a power cut.
    try await onThread { _ in try held.syncAll() }
    return (MirroredState(clock: clock, files: files), edited)
  }

  /// The items that changed after a clock, with the revisions of existing items. The plus keeps SQLite from using the
  /// index by item, with which it would scan all changes of the collection.
  static var changedStatement: String {
    """
    SELECT DISTINCT c.id, e.revision FROM changes c LEFT JOIN \(Item.tableName) e ON e.id = c.id
    WHERE c.clock > ? AND +c.collection = '\(Item.collectionName)'
    """
  }

  /// The ids of items that the folder lacks or has in another revision, and of removed items that it still has; and
  /// the names of up-to-date files whose text differs. After an earlier pass only changes since its clock are read:
  /// every commit of the library causes a pass, and most concern other collections.
  private func outdated(
    _ files: [String: MirroredFile], since clock: Int64?
  ) async throws -> (ids: [String], edited: [String], clock: Int64) {
    try await services.library.read(as: DaemonCaller()) { snapshot in
      var rest = files
      var ids: [String] = []
      var edited: [String] = []
      let oldest = try snapshot.db.first("SELECT min(clock) FROM commits") { $0.integer(0) } ?? .max
      if let clock, oldest <= clock + 1 {
        try snapshot.db.each(Self.changedStatement, [.integer(clock)]) { row in
          let revision = row.isNull(1) ? nil : row.integer(1)
          if files[row.text(0)]?.revision != revision { ids.append(row.text(0)) }
        }
        return (ids, [], snapshot.clock)
      }
      // Without files no text needs to be read.
      let isRead = files.values.contains { $0.values != nil }
      let columns = isRead ? Item.mirroredColumns : []
      let list = (["id", "revision"] + columns).joined(separator: ", ")
      try snapshot.db.each("SELECT \(list) FROM \(Item.tableName) ORDER BY id") { row in
        let id = row.text(0)
        guard let file = rest.removeValue(forKey: id), file.revision == row.integer(1) else { return ids.append(id) }
        guard let values = file.values else { return }
        let isSame = columns.indices.allSatisfy { place in
          let stored = row.text(2 + place)
          return values[columns[place]] == (columns[place] == "text" ? MirroredFile.hash(of: stored) : stored)
        }
        if !isSame { edited.append(file.name) }
      }
      edited.sort()
      return (ids + rest.keys.sorted(), edited, snapshot.clock)
    }
  }

  /// Removes the photos and other files that no item shows any more.
  private func removeUnused() async throws {
    let (path, marker) = (path, marker)
    let found = try await onThread { _ in try MirrorFolder(opening: path, marker: marker).shownFiles() }
    guard !found.isEmpty else { return }
    let used = try await services.library.read(as: DaemonCaller()) { snapshot in
      try Set(
        snapshot.db.texts(
          "SELECT DISTINCT target FROM link WHERE collection = ? AND targetCollection = ?",
          [.text(Item.collectionName), .text(FileRecord.collectionName)]))
    }
    let unused = found.filter { !used.contains($0.hash) }.map(\.name)
    guard !unused.isEmpty else { return }
    try await onThread { _ in
      let folder = try MirrorFolder(opening: path, marker: marker)
      for name in unused { try folder.remove(name) }
    }
  }

  /// The names of the files that any pass set aside, and whose texts no item has.
  func setAside() async throws -> [String] {
    let (path, marker) = (path, marker)
    let hashes = try await onThread { _ in try MirrorFolder(opening: path, marker: marker).setAside(Item.self) }
    guard !hashes.isEmpty else { return [] }
    return try await services.library.read(as: DaemonCaller()) { snapshot in
      var rest = hashes
      // An item records the text of its file if an import merged it or stored it as a conflict.
      try snapshot.db.each("SELECT text, json_extract(taken, '$.said.text') FROM \(Item.tableName)") { row in
        let known = Set([row.text(0), row.text(1)].map { MirroredFile.hash(of: $0) })
        rest = rest.filter { !known.contains($0.value) }
      }
      return rest.keys.sorted()
    }
  }

  private func jobs(for ids: [String], files: [String: MirroredFile]) async throws -> [Job] {
    try await services.library.read(as: DaemonCaller()) { snapshot in
      try ids.map { id in
        let (item, file) = (try snapshot.find(Item.self, id: id), files[id])
        var written: [String: String] = [:]
        for column in Item.mirroredColumns {
          guard let file else { continue }
          written[column] = try ItemVersion.text(
            column, of: Item.collectionName, table: Item.tableName, id: id, after: file.revision, in: snapshot)
        }
        let shown = try item.map { try FilesBeside.files(in: $0.text, snapshot) } ?? [:]
        return Job(id: id, item: item, shown: shown, file: file, written: written)
      }
    }
  }

  private static func perform(
    _ job: Job, of library: LibraryIdentity, names: MirrorNames, in folder: borrowing MirrorFolder
  ) throws -> MirroredFile? {
    let target = job.item?.mirroredName { names.isTaken($0, except: job.id) }
    if let file = job.file, folder.has(file.name) {
      if try !isAsWritten(file.name, as: file.name, job, in: folder) {
        try putAside(file.name, as: file.name, revision: file.revision, in: folder)
      } else if file.name != target {
        try folder.remove(file.name)
      }
    }
    guard let item = job.item, let target else { return nil }
    if job.file?.name != target, folder.has(target) {
      try putAside(target, as: target, revision: item.revision, in: folder)
    }
    let file = item.mirroredFile(
      as: FileRevision(number: item.revision, epoch: library.epoch),
      text: FileEmbeds.exported(item.text, files: job.shown))
    // An editor may have saved it since it was read.
    if let old = try folder.write(file, as: target) {
      if try isAsWritten(old, as: target, job, in: folder) {
        try folder.remove(old)
      } else {
        try putAside(old, as: target, revision: job.file?.revision ?? item.revision, in: folder)
      }
    }
    return MirroredFile(name: target, revision: item.revision)
  }

  /// Whether the file states what the item has now, or what the library wrote into it.
  private static func isAsWritten(
    _ place: String, as name: String, _ job: Job, in folder: borrowing MirrorFolder
  ) throws -> Bool {
    guard let bytes = try folder.read(place), let content = String(validating: bytes, as: UTF8.self) else {
      return false
    }
    let file = Item.mirrored(content)
    // Somebody edited the front matter.
    guard !file.hasOthers else { return false }
    // What was imported from the file is in the library now.
    let present = try job.item?.mirroredValues() ?? [:]
    return Item.mirroredColumns.allSatisfy { column in
      guard let value = file.values[column] else { return false }
      return Item.isWritten(value, of: column, in: name)
        || [job.written[column], present[column]].contains { $0.map { sameBytes(value, $0) } == true }
    }
  }

  private static func putAside(
    _ place: String, as name: String, revision: Int64, in folder: borrowing MirrorFolder
  ) throws {
    let base = name.dropLast(3)
    var other = "\(base)\(MirrorFolder.asideInfix)\(revision).md"
    var number = 1
    while folder.has(other) {
      number += 1
      other = "\(base)\(MirrorFolder.asideInfix)\(revision)-\(number).md"
    }
    try folder.rename(place, to: other)
  }
}

/// Whose the names of a mirror's files are: no two items have one, whatever the case of its letters.
private struct MirrorNames: Sendable {
  private var owners: [String: String] = [:]

  init(_ files: [String: MirroredFile]) {
    for (id, file) in files { owners[foldedText(file.name)] = id }
  }

  func isTaken(_ name: String, except id: String) -> Bool { owners[foldedText(name)].map { $0 != id } ?? false }

  /// - Parameter old: the former name of the item's file.
  mutating func set(_ name: String?, after old: String?, of id: String) {
    if let old, owners[foldedText(old)] == id { owners[foldedText(old)] = nil }
    if let name { owners[foldedText(name)] = id }
  }
}
