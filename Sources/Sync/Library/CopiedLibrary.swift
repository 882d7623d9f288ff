extension SharingTransaction {
  /// Makes a new writer if a file shows that this library is a copy that was put back: other devices have read files of
  /// its writer that it has not written. They never read another file under such a number, and take another write under
  /// such a number for known.
  ///
  /// The names at the target show that too, unless those files were compacted and removed. To be called before anything
  /// of the file is joined: its contexts have the numbers of the original.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func leaveCopiedWriter(after header: LogHeader) throws {
    guard header.names(filesOf: stored.ledger.writer, from: stored.ledger.next) else { return }
    let old = stored.ledger.writer
    var random = SystemRandomNumberGenerator()
    stored.ledger.renewWriter(using: &random)
    if let written = stored.written {
      // What was absorbed since has the numbers of writes of the original.
      for key in states.dirtyKeys {
        guard var state = try states.stored(key) else { continue }
        state.move(writesOf: old, after: written, to: stored.ledger.writer)
        try states.write(state, of: key)
      }
    }
    // Any of them may have a number under which the others know another one.
    for name in stored.ledger.records.keys where name.file.writer == old { states.dirty(writtenTo: name.file) }
    transaction.services.log("sync: this library was put back to an earlier state, and goes on as another writer")
  }
}

extension LogHeader {
  /// Whether it names files of a writer from a number on.
  fileprivate func names(filesOf writer: WriterID, from number: Int64) -> Bool {
    [reads, includes].contains { files in
      files.upTo[writer] ?? 0 >= number || files.also.contains { $0.writer == writer && $0.number >= number }
    }
  }
}
