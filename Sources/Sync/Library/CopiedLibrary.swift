extension SharingTransaction {
  /// Makes a new writer if a file shows that this library is a copy that was put back: other devices have read files of
  /// its writer that it has not written. They never read another file under such a number, and take another write under
  /// such a number for known.
  ///
  /// The names at the target show that too, unless those files were compacted and removed. To be called before anything
  /// of the file is joined: its contexts have the numbers of the original.
  ///
  /// - Returns: whether there is a new one. Then `SharedLibrary.moveCopiedWrites` has to be called before all else.
  mutating func leaveCopiedWriter(after header: LogHeader) -> Bool {
    guard header.names(filesOf: stored.ledger.writer, from: stored.ledger.next) else { return false }
    // If it is not known which writes are in files, none is moved.
    stored.copied = Dot(stored.ledger.writer, stored.written ?? StateLine.maximumNumber)
    var random = SystemRandomNumberGenerator()
    stored.ledger.renewWriter(using: &random)
    transaction.services.log("sync: this library was put back to an earlier state, and goes on as another writer")
    return true
  }

  /// Gives the writes that the copied writer has absorbed since its last file, and that may have the numbers of writes of
  /// the original, to the present writer. Done again, it changes nothing.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  fileprivate mutating func moveCopiedWrites(of key: ItemKey) throws {
    guard let copied = stored.copied, var state = try states.stored(key) else { return }
    state.move(writesOf: copied.writer, after: copied.number, to: stored.ledger.writer)
    try states.write(state, of: key)
  }
}

extension SharedLibrary {
  /// Ends what `leaveCopiedWriter` has begun, unless that is done: also after a crash, before anything is absorbed, joined
  /// or written.
  ///
  /// - Throws: `RPCError` if the library is not shared, `StoreError`, `DatabaseError`, `CancellationError`.
  func moveCopiedWrites() async throws {
    let (copied, keys) = try await services.library.read(as: caller) { [collections] snapshot in
      guard let copied = try StoredLedger.readRow(in: snapshot.db)?.copied else {
        return (nil as Dot?, [] as [ItemKey])
      }
      let states = LibraryStates(snapshot.db, collections.schema)
      let keys = states.dirtyKeys
      try states.requireWhole()
      return (copied, keys)
    }
    guard let copied else { return }
    try await inSlices(of: keys, priority: .repeatable) { sharing, keys, end in
      var count = 0
      for key in keys {
        if count > 0, end.isReached { break }
        try sharing.moveCopiedWrites(of: key)
        count += 1
      }
      return count
    }
    try await transact { sharing in
      // Any of them may have a number under which the others know another one.
      for name in sharing.stored.ledger.records.keys where name.file.writer == copied.writer {
        sharing.states.dirty(writtenTo: name.file)
      }
      sharing.stored.copied = nil
    }
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
