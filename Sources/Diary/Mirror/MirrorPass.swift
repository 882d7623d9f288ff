import Exchange
import Kit
import Store
import Wire

/// Brings a folder to what the library has.
///
/// Files whose entry has not changed are not looked at. One that is to be replaced is read first: if somebody wrote in
/// it, it is put aside under another name, so that the mirror destroys no word, and an import brings both.
struct MirrorPass {
  let path: String
  let marker: String
  let services: Services

  /// An entry that is to be written, or whose file is to go.
  private struct Job: Sendable {
    var id: String
    var record: EntryRecord?
    var file: MirroredFile?
    /// What the file had when it was written.
    var writtenText: String?
  }

  private static let jobCount = 200

  /// The folder when it was done; `known` is nil where nobody has looked yet. Where the folder was looked at, also the
  /// names of those files that say something else than their entries.
  func run(known: MirroredState?) async throws -> (state: MirroredState, edited: [String]) {
    let (path, marker, library) = (path, marker, services.library.identity)
    var files = try await onThread { _ in
      let folder = try MirrorFolder(opening: path, marker: marker)
      return try known?.files ?? folder.entries(of: library)
    }
    let (ids, edited, clock) = try await outdated(files, since: known?.clock)
    guard !ids.isEmpty else { return (MirroredState(clock: clock, files: files), edited) }
    // Before the first write: a disk that fails reports the error to the descriptors that are open then.
    let held = try OpenFolder(opening: path)
    for start in stride(from: 0, to: ids.count, by: Self.jobCount) {
      let jobs = try await jobs(for: Array(ids[start..<min(start + Self.jobCount, ids.count)]), files: files)
      let written = try await onThread { _ in
        let folder = try MirrorFolder(opening: path, marker: marker)
        return try jobs.map { ($0.id, try Self.perform($0, of: library, in: folder)) }
      }
      for (id, file) in written { files[id] = file }
    }
    // Who is told that the folder is current finds it so after a power cut, too.
    try await onThread { _ in try held.syncAll() }
    return (MirroredState(clock: clock, files: files), edited)
  }

  /// The items that changed behind a clock, with the revisions of those entries that are there. The plus keeps SQLite from
  /// the index by the item, in which it would go through all changes that the diary ever had.
  static let changedStatement = """
    SELECT DISTINCT c.id, e.revision FROM changes c LEFT JOIN diaryEntry e ON e.id = c.id
    WHERE c.clock > ? AND +c.collection = 'diary'
    """

  /// The entries that the folder has not, or not as they are, and those that it has and the library has not; and the
  /// names of files of the entries as they are that were looked at and say something else. Since a clock that a pass has
  /// reached only what changed is looked at: every commit of the library asks, and most are of other collections.
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
      try snapshot.db.each("SELECT id, revision, \(text), day FROM diaryEntry ORDER BY day, id") { row in
        let id = row.text(0)
        guard let file = rest.removeValue(forKey: id), file.revision == row.integer(1) else { return ids.append(id) }
        guard let hash = file.hash else { return }
        if hash != MirroredFile.hash(of: row.text(2)) || file.day != row.text(3) { edited.append(file.name) }
      }
      return (ids + rest.keys.sorted(), edited, snapshot.clock)
    }
  }

  /// The names of the files that were put aside, by a pass of any time, and whose texts no entry has.
  func setAside() async throws -> [String] {
    let (path, marker) = (path, marker)
    let hashes = try await onThread { _ in try MirrorFolder(opening: path, marker: marker).setAside() }
    guard !hashes.isEmpty else { return [] }
    return try await services.library.read(as: DaemonCaller()) { snapshot in
      var rest = hashes
      // What an import merged, or kept beside an entry, the entry knows as what its file said.
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
        return Job(
          id: id, record: try snapshot.find(EntryRecord.self, id: id), file: file,
          writtenText: try file.flatMap { file in
            try ItemVersion.text(
              "text", of: EntryRecord.collectionName, table: EntryRecord.tableName, id: id, after: file.revision,
              in: snapshot)
          })
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
    let file = MarkdownFile(record, as: FileRevision(number: record.revision, epoch: library.epoch))
    // An editor may have saved it since it was looked at.
    if let old = try folder.write(file.bytes, as: target) {
      if try isAsWritten(old, as: target, job, in: folder) {
        try folder.remove(old)
      } else {
        try putAside(old, as: target, revision: job.file?.revision ?? record.revision, in: folder)
      }
    }
    return MirroredFile(name: target, revision: record.revision)
  }

  /// Whether the library has what the file says, or had it when it wrote the file.
  private static func isAsWritten(
    _ place: String, as name: String, _ job: Job, in folder: borrowing MirrorFolder
  ) throws -> Bool {
    guard let bytes = try folder.read(place), let content = String(validating: bytes, as: UTF8.self) else {
      return false
    }
    let file = MarkdownFile(parsing: content)
    // Somebody wrote above the text. The name says the day that it was written with.
    let day = file.matter["day"]
    guard file.strangeFields.isEmpty, day == String(name.prefix(10)) || day == job.record?.day.description else {
      return false
    }
    // What an import took over from the file is in the library now.
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
