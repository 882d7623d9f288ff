/// A place for log files: a folder, or a server that is no more than one.
///
/// Listings may be stale, writes may break off halfway, and answers may be lost. No operation has to be conditional.
package protocol LogStore {
  /// Names and sizes of all files in `log/`, of other programs too.
  mutating func list() async throws -> [(name: String, size: Int)]
  /// - Throws: any error for a file that cannot be read now; returns nil for one that does not exist.
  mutating func get(_ name: String, limit: Int) async throws -> [UInt8]?
  mutating func put(_ name: String, _ bytes: [UInt8]) async throws
  /// Removing a file that does not exist is no error.
  mutating func remove(_ name: String) async throws
}

/// Encryption and compression of the content of a log file.
package protocol LogFileSealing: Sendable {
  /// The most bytes of a sealed file: larger ones are not fetched.
  var maximumBytes: Int { get }
  /// Seals the content of this file, and of no other: a place cannot show it as another one.
  func seal(_ content: [UInt8], as file: FileID) -> [UInt8]
  /// - Throws: `LogFileError.damaged` for bytes that this space did not seal as this file, or whose content is larger
  ///   than `LogFile.maximumBytes`; `.newerFormat`, `.olderKey`.
  func open(_ bytes: [UInt8], as file: FileID) throws(LogFileError) -> [UInt8]
}

/// The states of a library's items, and which of them have to be written to a file.
///
/// The members cannot throw. Whoever stores states where reading can fail has to give up all that was decided from them
/// after a failure: a part of the items must never count as all.
package protocol ItemStates {
  /// The first items after `last`, of all for nil; by item.
  func keys(after last: ItemKey?, limit: Int) -> [ItemKey]
  /// The same of those whose states no written file has.
  func dirtyKeys(after last: ItemKey?, limit: Int) -> [ItemKey]
  /// Whether there are any.
  var hasDirty: Bool { get }
  func state(of key: ItemKey) -> ItemState?
  /// Of all states.
  mutating func digest() -> StateDigest
  /// Joins the states of a file that was read.
  mutating func join(_ items: [StatedItem])
  /// Notes the file that has the present states of these items: they are dirty no more.
  mutating func note(_ keys: [ItemKey], writtenTo file: FileID)
  /// Makes those items dirty whose present states only this file has.
  mutating func dirty(writtenTo file: FileID)
  /// Makes these items dirty.
  mutating func dirty(_ keys: [ItemKey])
}

extension ItemStates {
  /// All items after `last`, all for nil; by item.
  package func keys(after last: ItemKey?) -> [ItemKey] { keys(after: last, limit: .max) }

  /// The items whose states no written file has; by item.
  package var dirtyKeys: [ItemKey] { dirtyKeys(after: nil, limit: .max) }
}
