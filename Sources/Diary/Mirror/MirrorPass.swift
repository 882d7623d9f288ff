import Exchange
import Kit
import Store
import Wire

/// Updates a folder to the library's state.
///
/// Files of unchanged entries are not read. A file that is to be replaced is read first: if somebody edited it, it is
/// renamed, so that the mirror destroys no text, and an import gets both versions.
struct MirrorPass {
  let path: String
  let marker: String
  let services: Services

  /// An entry to write, or a file to remove.
  private struct Job: Sendable {
    var id: String
    var record: EntryRecord?
    /// The files that its text shows.
    var shown: [String: FileRecord] = [:]
    var file: MirroredFile?
    /// The text that the library wrote into the file.
    var writtenText: String?
    /// The tags that the library wrote into the file, as JSON.
    var writtenTags: String?
  }

  private static let jobCount = 200

  /// Returns the state of the folder; `known` is nil if the folder was not read yet. If it was read by this pass, also
  /// returns the names of files that differ from their entries.
  func run(known: MirroredState?) async throws -> (state: MirroredState, edited: [String]) {
    let (path, marker, library, blobs) = (path, marker, services.library.identity, services.blobs)
    var files = try await onThread { _ in
      let folder = try MirrorFolder(opening: path, marker: marker)
      return try known?.files ?? folder.entries(of: library)
    }
    let (ids, edited, clock) = try await outdated(files, since: known?.clock)
    if known == nil { try await removeUnused() }
    guard !ids.isEmpty else { return (MirroredState(clock: clock, files: files), edited) }
    // Before the first write: the kernel reports write errors only to file descriptors that are open at that time.
    let place = NamedPlace(path)
    let held = try OpenFolder(opening: place.path)
    for start in stride(from: 0, to: ids.count, by: Self.jobCount) {
      let jobs = try await jobs(for: Array(ids[start..<min(start + Self.jobCount, ids.count)]), files: files)
      let written = try await onThread { _ in
        let folder = try MirrorFolder(opening: path, marker: marker)
        return try jobs.map { job in
          // First the files, then the text that shows them.
          for file in job.shown.values { try folder.write(file, from: blobs) }
          return (job.id, try Self.perform(job, of: library, in: folder))
        }
      }
      for (id, file) in written { files[id] = file }
    }
    // When a client gets the reply, the folder survives a power cut.
    try await onThread { _ in try held.syncAll() }
    return (MirroredState(clock: clock, files: files), edited)
  }

  /// The items that changed after a clock, with the revisions of existing entries. The plus keeps SQLite from using the
  /// index by item, with which it would scan all changes of the diary.
  static let changedStatement = """
    SELECT DISTINCT c.id, e.revision FROM changes c LEFT JOIN diaryEntry e ON e.id = c.id
    WHERE c.clock > ? AND +c.collection = 'diary'
    """

  /// The ids of entries that the folder lacks or has in another revision, and of removed entries that it still has; and
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
      let text = files.values.contains { $0.hash != nil } ? "text" : "''"
      try snapshot.db.each("SELECT id, revision, \(text), day, tags FROM diaryEntry ORDER BY day, id") { row in
        let id = row.text(0)
        guard let file = rest.removeValue(forKey: id), file.revision == row.integer(1) else { return ids.append(id) }
        guard let hash = file.hash else { return }
        if hash != MirroredFile.hash(of: row.text(2)) || file.day != row.text(3) || file.tags != row.text(4) {
          edited.append(file.name)
        }
      }
      return (ids + rest.keys.sorted(), edited, snapshot.clock)
    }
  }

  /// Removes the photos and other files that no entry shows any more.
  private func removeUnused() async throws {
    let (path, marker) = (path, marker)
    let found = try await onThread { _ in try MirrorFolder(opening: path, marker: marker).shownFiles() }
    guard !found.isEmpty else { return }
    let used = try await services.library.read(as: DaemonCaller()) { snapshot in
      try Set(
        snapshot.db.texts(
          "SELECT DISTINCT target FROM link WHERE collection = ? AND targetCollection = ?",
          [.text(EntryRecord.collectionName), .text(FileRecord.collectionName)]))
    }
    let unused = found.filter { !used.contains($0.hash) }.map(\.name)
    guard !unused.isEmpty else { return }
    try await onThread { _ in
      let folder = try MirrorFolder(opening: path, marker: marker)
      for name in unused { try folder.remove(name) }
    }
  }

  /// The names of the files that any pass set aside, and whose texts no entry has.
  func setAside() async throws -> [String] {
    let (path, marker) = (path, marker)
    let hashes = try await onThread { _ in try MirrorFolder(opening: path, marker: marker).setAside() }
    guard !hashes.isEmpty else { return [] }
    return try await services.library.read(as: DaemonCaller()) { snapshot in
      var rest = hashes
      // An entry records the text of its file if an import merged it or stored it as a conflict.
      try snapshot.db.each("SELECT text, json_extract(taken, '$.said.text') FROM diaryEntry") { row in
        let known = Set([row.text(0), row.text(1)].map { MirroredFile.hash(of: $0) })
        rest = rest.filter { !known.contains($0.value) }
      }
      return rest.keys.sorted()
    }
  }

  private func jobs(for ids: [String], files: [String: MirroredFile]) async throws -> [Job] {
    try await services.library.read(as: DaemonCaller()) { snapshot in
      try ids.map { id in
        let file = files[id]
        func written(_ column: String) throws -> String? {
          try file.flatMap { file in
            try ItemVersion.text(
              column, of: EntryRecord.collectionName, table: EntryRecord.tableName, id: id, after: file.revision,
              in: snapshot)
          }
        }
        let record = try snapshot.find(EntryRecord.self, id: id)
        return Job(
          id: id, record: record, shown: try record.map { try FilesBeside.files(in: $0.text, snapshot) } ?? [:],
          file: file, writtenText: try written("text"), writtenTags: try written("tags"))
      }
    }
  }

  private static func perform(
    _ job: Job, of library: LibraryIdentity, in folder: borrowing MirrorFolder
  ) throws -> MirroredFile? {
    let target = job.record.map(MarkdownFile.name)
    if let file = job.file, folder.has(file.name) {
      if try !isAsWritten(file.name, as: file.name, job, in: folder) {
        try putAside(file.name, as: file.name, revision: file.revision, in: folder)
      } else if file.name != target {
        try folder.remove(file.name)
      }
    }
    guard let record = job.record, let target else { return nil }
    if job.file?.name != target, folder.has(target) {
      try putAside(target, as: target, revision: record.revision, in: folder)
    }
    let file = MarkdownFile(
      record, as: FileRevision(number: record.revision, epoch: library.epoch),
      text: FileEmbeds.exported(record.text, files: job.shown))
    // An editor may have saved it since it was read.
    if let old = try folder.write(file.bytes, as: target) {
      if try isAsWritten(old, as: target, job, in: folder) {
        try folder.remove(old)
      } else {
        try putAside(old, as: target, revision: job.file?.revision ?? record.revision, in: folder)
      }
    }
    return MirroredFile(name: target, revision: record.revision)
  }

  /// Whether the file has the entry's current text, or the text that the library wrote into it.
  private static func isAsWritten(
    _ place: String, as name: String, _ job: Job, in folder: borrowing MirrorFolder
  ) throws -> Bool {
    guard let bytes = try folder.read(place), let content = String(validating: bytes, as: UTF8.self) else {
      return false
    }
    let file = MarkdownFile(parsing: content)
    // Somebody edited the front matter. The name states the day at the time of writing.
    let day = file.matter["day"]
    guard file.unknownFields.isEmpty, day == String(name.prefix(10)) || day == job.record?.day.description else {
      return false
    }
    let tags = [job.writtenTags, job.record.map { JSONList.json($0.tags) }]
    guard tags.contains(JSONList.json(file.tags)) else { return false }
    // Text that was imported from the file is in the library now.
    return [job.writtenText, job.record?.text].contains { $0.map { sameBytes(file.text, $0) } == true }
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
