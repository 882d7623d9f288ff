import Wire

/// What changes make a library another writer.
package struct WriterIdentity: Equatable, Sendable {
  /// The machine's boot id.
  package var boot: String
  package var device: String
  /// The library's epoch.
  package var epoch: String

  package init(boot: String, device: String, epoch: String) {
    (self.boot, self.device, self.epoch) = (boot, device, epoch)
  }
}

/// What a library remembers of log files between runs. It is stored in the library's transactions, as states are.
package struct FileLedger: Equatable, Sendable {
  /// A log file that was listed, or that this library wrote.
  package struct Record: Equatable, Sendable {
    package enum Reading: Equatable, Sendable {
      /// Not read yet; failures so far, and the time of the next attempt.
      case waiting(failures: Int, next: Int64)
      /// Its content was joined, or it was written here.
      case read
      /// Its bytes do not match its name, even after repeated attempts.
      case damaged(next: Int64)
      /// A newer version wrote it.
      case newer
      /// It was written under a key that was replaced.
      case outdated
    }

    package var size: Int
    package var reading: Reading
    /// The files whose content it has, if it was read.
    package var includes = FileSet()
    package var isCompaction = false
    /// The number of files it consists of; it is the last one.
    package var parts: Int64 = 1
    /// Whether the next file of its writer has more of the same changes.
    package var isContinued = false
    /// When it was first found missing, or of another size.
    package var missingSince: Int64?
    /// When it has to be replaced by a compaction, if no other file includes it by then.
    package var replacedAt: Int64?
    /// Since when another file includes it.
    package var includedSince: Int64?
    /// Whether a device that found it damaged waits for an answer.
    package var isReported = false

    init(size: Int, reading: Reading) { (self.size, self.reading) = (size, reading) }
  }

  /// What another writer has last said.
  package struct Peer: Equatable, Sendable {
    package var device: String
    package var name: String
    package var at: Int64
    package var schema: Int64
    /// The number of the file that said it.
    package var file: Int64
    /// The files that it has read; empty for an earlier writer of a device.
    package var reads: FileSet
    /// When this library read that.
    package var heard: Int64
  }

  /// A file that was decided on, but may not lie in the store yet.
  package struct Staged: Equatable, Sendable {
    package var name: FileName
    package var bytes: [UInt8]
  }

  /// The files with changes that were written since a moment, for a day.
  package struct Day: Equatable, Sendable {
    package var began: Int64 = 0
    package var files: Int64 = 0

    mutating func count(at now: Int64) {
      if now - began >= SyncPolicy.day || now < began { self = Day(began: now) }
      files += 1
    }
  }

  /// A compaction whose parts are not all staged. Each part is staged and put alone, so this is what goes on after a
  /// crash: until the last part is staged, its parts are ordinary files, and nothing counts as included.
  package struct Compaction: Equatable, Sendable {
    /// The number of its first part. Its parts have successive numbers.
    package var first: Int64
    /// The files whose content the states had when it began.
    package var includes: FileSet
    /// The last item that its parts have; nil before the first part.
    package var last: ItemKey?
    /// The digest of all states when it began; nil if some of them were in no file.
    package var digest: StateDigest?

    package init(first: Int64, includes: FileSet) { (self.first, self.includes) = (first, includes) }
  }

  package internal(set) var writer: WriterID
  package internal(set) var identity: WriterIdentity
  /// The number of the next file.
  package internal(set) var next: Int64 = 1
  /// The time of the newest commit of this writer.
  package internal(set) var lastAt: Int64 = 0
  /// The files whose content the states have.
  package internal(set) var seen = FileSet()
  package internal(set) var records: [FileName: Record] = [:]
  package internal(set) var staged: [Staged] = []
  package internal(set) var peers: [WriterID: Peer] = [:]
  /// Own files that were lost: the next file has their items.
  package internal(set) var lost: Set<FileID> = []
  /// Whether files of others have to be replaced by a compaction.
  package internal(set) var needsCompaction = false
  /// The compaction that is being written.
  package internal(set) var compaction: Compaction?
  /// When the states were found to differ from those of a device that had read the same files; nil if they do not.
  package internal(set) var divergedAt: Int64?
  /// Since when files at the target have versions that were forgotten here; nil if a compaction was written since.
  package internal(set) var forgottenAt: Int64?
  /// Whether a file has to be written though no item is dirty: to report damage, or to replace a lost file.
  package internal(set) var needsReport = false
  /// Multiplies the limits beyond which files are compacted, so that devices do not all do it at once; 1 to 2.
  package internal(set) var patience = 1.0
  /// When this writer last wrote a file.
  package internal(set) var lastWrite: Int64 = 0
  package internal(set) var day = Day()
  /// The formats that the version could read that listed the files last: a later one reads what was too new then.
  package internal(set) var formats = SyncPolicy.formats

  /// The most writers that are remembered.
  static let maximumPeers = 1_000
  /// The most files of a replaced key that a file names.
  private static let maximumLost = 10_000

  package init(_ identity: WriterIdentity, using random: inout some RandomNumberGenerator) {
    (self.identity, writer) = (identity, WriterID(random.next()))
  }

  /// Makes a new writer if the library may be a copy of the one that used the present writer.
  ///
  /// To be called whenever a library was opened, before any write is absorbed: two libraries that write as one writer
  /// lose what they write.
  package mutating func begin(_ identity: WriterIdentity, using random: inout some RandomNumberGenerator) {
    if self.identity == identity { return }
    self.identity = identity
    renewWriter(using: &random)
  }

  mutating func renewWriter(using random: inout some RandomNumberGenerator) {
    (writer, next, lastAt, lastWrite) = (WriterID(random.next()), 1, 0, 0)
    // Its own files are those of another writer from now on, and so are the parts of a compaction.
    lost = []
    restartCompaction()
  }

  /// Begins an open compaction anew.
  private mutating func restartCompaction() {
    if compaction != nil { (compaction, needsCompaction) = (nil, true) }
  }

  /// Notes that versions were forgotten which files at the target have, and perhaps the first parts of a compaction.
  package mutating func noteForgotten(at now: Int64) {
    forgottenAt = forgottenAt ?? now
    restartCompaction()
  }

  /// Goes on under a new key: all that was read and written under the old one is in the states, and the next file states
  /// that it includes those files. All items have to be written that no other device has written under the new key, and
  /// not by a compaction: one that no file can have would keep all others from being written.
  mutating func renewKey(using random: inout some RandomNumberGenerator) {
    let old = records.filter { $0.value.reading == .read && $0.value.includedSince == nil }.map(\.key.file)
    renewWriter(using: &random)
    (records, staged, needsCompaction, needsReport) = ([:], [], false, true)
    lost = Set(old.sorted().prefix(Self.maximumLost))
  }

  /// The stamp of a write that is absorbed.
  ///
  /// - Parameters:
  ///   - clock: the library's clock, greater than in any stamp of this writer.
  ///   - at: the commit's time in milliseconds.
  package mutating func stamp(clock: Int64, at: Int64) -> WriteStamp {
    lastAt = min(max(at, lastAt + 1, 1), StateLine.maximumNumber)
    return WriteStamp(Dot(writer, clock), at: lastAt)
  }

  /// The damaged files that nothing includes.
  package var damaged: [FileName] {
    records.filter { if case .damaged = $0.value.reading { $0.value.includedSince == nil } else { false } }.map(\.key)
      .sorted()
  }

  /// Whether a newer version writes to the same place: it has to be installed here too. A file that no device of the
  /// space is known to have written may be invented: whether a format is newer can be seen without the secret.
  package var needsUpgrade: Bool { records.contains { $0.value.reading == .newer && isNamed($0.key.file) } }

  /// Whether a header that was opened names a file or its writer.
  private func isNamed(_ file: FileID) -> Bool {
    peers[file.writer] != nil || peers.values.contains { $0.reads.contains(file) }
  }

  /// The files that were listed and cannot be read now, or never; files of replaced keys do not count.
  var unread: Int {
    records.count { name, record in
      switch record.reading {
      case .waiting, .damaged, .newer: record.includedSince == nil && !seen.contains(name.file)
      case .read, .outdated: false
      }
    }
  }

  /// Files that other devices have read and that were not shown to this one, and those of its own that are gone from the
  /// target: they are on their way, or the target withholds them.
  package var missing: Int {
    let others = peers.values.reduce(into: FileSet()) { $0.formUnion($1.reads) }
    return others.count(beyond: seen) + records.values.count { $0.reading == .read && $0.missingSince != nil }
  }

  /// The files that a newer version wrote, and that this one leaves alone.
  package var newer: Int { records.values.count { $0.reading == .newer } }

  /// What a file states of the files that were read: those of the writers that may still write, or whose files lie at the
  /// target. A machine that is started each day is another writer each day, and nobody asks for what that one wrote
  /// once it is included.
  var reads: FileSet {
    let writers = Set(records.keys.map(\.file.writer)).union(newestWriters).union([writer])
    return seen.filtered(writers.contains)
  }

  /// Of each other device the one that wrote last.
  private var newestWriters: Set<WriterID> {
    var newest: [String: (writer: WriterID, at: Int64)] = [:]
    for (writer, peer) in peers {
      if let known = newest[peer.device], (known.at, known.writer) > (peer.at, writer) { continue }
      newest[peer.device] = (writer, peer.at)
    }
    return Set(newest.values.map(\.writer))
  }

  /// Forgets a device that is gone. It is known again once it writes.
  ///
  /// - Returns: whether it was known.
  mutating func forget(device: String) -> Bool {
    let known = peers.count
    peers = peers.filter { $0.value.device != device }
    return peers.count < known
  }

  mutating func hear(_ header: LogHeader, of file: FileID, at now: Int64) {
    guard file.number > peers[file.writer]?.file ?? 0 else { return }
    peers[file.writer] = Peer(
      device: header.device, name: header.name, at: header.at, schema: header.schema, file: file.number,
      reads: header.reads, heard: now)
    // What a device has read it says as its newest writer; the others are known for their names.
    let newest = newestWriters
    for (writer, peer) in peers
    where sameBytes(peer.device, header.device) && !newest.contains(writer) && !peer.reads.isEmpty {
      peers[writer]?.reads = FileSet()
    }
    guard peers.count > Self.maximumPeers else { return }
    let former = peers.filter { !newest.contains($0.key) }
    let oldest = (former.isEmpty ? peers : former).min { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
    if let oldest { peers[oldest.key] = nil }
  }
}
