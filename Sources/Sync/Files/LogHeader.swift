/// What a log file states of its writer and of other files.
package struct LogHeader: Equatable, Sendable {
  /// The version of the form of states and of their join.
  package static let format: Int64 = 1
  /// The version of the merge of texts: all devices have to show the same bytes.
  package static let merge: Int64 = 1

  /// The version of the library's collections and fields at its writer.
  package var schema: Int64
  package var device: String
  /// The device's name for people.
  package var name: String
  /// The time of writing in milliseconds since 1970.
  package var at: Int64
  /// The files whose content this one has as well, with its parts.
  package var includes = FileSet()
  /// How many files this content is spread over: this one and those of the preceding numbers. Only the last one has it.
  package var parts: Int64 = 1
  /// Whether it holds all items, so that no file it includes is needed.
  package var isCompaction = false
  /// The files that its writer had read, of the writers that may still write (`FileLedger.reads`).
  package var reads = FileSet()
  /// The digest of all files that its writer had read, with this one; nil in a file of an earlier version, whose `reads`
  /// has all.
  package var seen: String?
  /// Files that its writer found damaged.
  package var unread: [FileID] = []
  /// The digest of its writer's states, all of which were in this file and in those that it had read; nil in a file
  /// that others follow.
  package var digest: StateDigest?

  package init(schema: Int64, device: String, name: String, at: Int64) {
    (self.schema, self.device, self.name, self.at) = (schema, device, name, at)
  }
}
