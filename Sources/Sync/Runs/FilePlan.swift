/// A file that is to be staged, or the reason why none is.
package struct FilePlan: Sendable {
  package enum Kind: Sendable {
    /// Dirty items.
    case changes
    /// A part of a compaction.
    case compaction
  }

  let kind: Kind
  /// The writer and number that it takes. If another file has taken them meanwhile, it has to be planned again.
  package let file: FileID
  var header: LogHeader
  /// The sealed file; nil if nothing has to be written.
  var bytes: [UInt8]?
  /// Its items.
  package var keys: [ItemKey] = []
  /// Whether no more items have to be written.
  var isLast = false
  /// The digest of all states; nil if some of them were in no file.
  var digest: StateDigest?
  /// Items whose states no other device could read. They stay dirty, so that nothing is compacted without them.
  package var oversized: [ItemKey] = []

  init(_ kind: Kind, _ file: FileID, _ header: LogHeader) {
    (self.kind, self.file, self.header) = (kind, file, header)
  }

  /// Whether it can still be staged.
  package func isCurrent(in ledger: FileLedger) -> Bool {
    FileID(ledger.writer, ledger.next) == file && ledger.staged.isEmpty
      && (kind == .changes) == (ledger.compaction == nil)
  }
}
