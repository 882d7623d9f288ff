/// The times and limits of runs; times in milliseconds.
package struct SyncPolicy: Sendable {
  package static let hour: Int64 = 3_600_000
  package static let day = 24 * hour

  /// How long a file that another one includes stays.
  package var keeping = 7 * day
  /// How long an own file may be missing: listings lag. One of another size is replaced in the next run.
  package var lag = hour
  /// How long others have to replace their files before anybody does; up to three times as long, by chance.
  package var grace = 7 * day
  /// Attempts before a file counts as damaged, at growing distances.
  package var attempts = 5
  package var firstRetry: Int64 = 60_000
  /// How often a damaged file is tried again.
  package var lateRetry = 45 * day
  /// Files and bytes that no other file includes, beyond which they are compacted.
  package var files = 64
  package var bytes = 1 << 20
  /// Of how many bytes of the library there may be one such file, if these are more files: each compaction has all of
  /// it, and lies there for a week after the next one.
  package var bytesOfFile = 8 << 10
  /// The most files in any case, as they have to be listed.
  package static let mostFiles = 192
  /// How long after something was forgotten the files are compacted that have it.
  package var forgetting = day
  /// The most files that wait to be read: a place can invent any number of them.
  package var unread = 5_000
  /// The bytes of items beyond which they are distributed over more files.
  package var fileBytes = LogFile.splitBytes
  /// Files with changes in a day after which changes are gathered for a while. A file of a few changes takes as long to
  /// list and to read as one of many, and every 64 are compacted.
  var busy: Int64 = 30
  /// How long they are gathered then; 0 for a run that a person has requested.
  package var gathering: Int64 = 0
  static let longGathering = hour / 2
  /// How often a device without changes writes a file, so that others see it; nil for never.
  package var heartbeat: Int64? = day

  /// The newest formats that this version reads: of files, of states, and of the merge.
  static let formats = 10_000 * Int64(SealedFile.format) + 100 * LogHeader.format + LogHeader.merge
  var formats = Self.formats

  /// How many files are fetched at once: a server answers slowly, and reading them is quick.
  static let fetches = 4

  package init() {}
}
