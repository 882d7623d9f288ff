import Contract
import Display
import Store
import Wire

/// How far an import has come, and what became of the entries until there.
struct ImportTally: Sendable {
  var index = 0
  var added = 0
  var updated = 0
  var known = 0
  var notes: [ImportNote] = []

  /// Puts the next entry in, unless it is there.
  ///
  ///     no such entry                    it comes
  ///     the same text is there           nothing
  ///     another text, a file of ours     it changes the entry if its revision is still current, else both are kept
  ///     another text, a foreign file     nothing: what came from it before was changed here since
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    guard let record = try transaction.snapshot.find(EntryRecord.self, id: entry.id) else {
      added += 1
      if !isDryRun { try entry.insert(as: entry.id, in: transaction) }
      return
    }
    guard case .own(_, let revision) = entry.identity, !sameBytes(record.text, entry.text) else {
      known += 1
      return
    }
    if revision == record.revision {
      updated += 1
      if !isDryRun {
        try transaction.change(record) { record in
          record.text = entry.text
          record.day = entry.day
        }
      }
    } else if try transaction.snapshot.find(EntryRecord.self, id: entry.contentID) != nil {
      known += 1
    } else {
      added += 1
      notes.append(ImportNote(place: entry.place, title: EntryText(entry.text).title, reason: .conflict))
      if !isDryRun { try entry.insert(as: entry.contentID, in: transaction) }
    }
  }
}

extension ImportedEntry {
  fileprivate func insert(as id: String, in transaction: Transaction) throws {
    var record = EntryRecord()
    record.id = id
    record.text = text
    record.day = day
    record.timeZone = timeZone
    record.writtenAt = writtenAt
    try transaction.insert(record)
  }
}

/// What an import did, and what it left out and why.
struct ImportReport: Payload {
  struct Note: Payload {
    var file: String?
    var number: Int
    var title: String?
    var reason: ImportNote.Reason
    var skipped: Bool
    var display: String
    static let example = Note(
      file: nil, number: 3, title: "A walk", reason: .missingDate, skipped: true,
      display: "It does not say when it was written.")
    static let fields = [
      "file": "In a folder, the file.", "number": "Which entry it is in what was read, from 1.",
      "title": "Its title, as far as it could be read.", "reason": "What was found.",
      "skipped": "Whether the entry was left out; otherwise it came, without what the reason names.",
      "display": "The reason for people.",
    ]
  }

  var added: Int
  var updated: Int
  var known: Int
  var skipped: Int
  var notes: [Note]
  var untold: Int

  static let example = ImportReport(added: 12, updated: 0, known: 3, skipped: 1, notes: [.example], untold: 0)
  static let fields = [
    "added": "How many entries came.",
    "updated": "How many were changed by a file of our own that was edited.",
    "known": "How many were there already.", "skipped": "How many were left out.",
    "notes": "What there is to say of single entries, at most 1,000.", "untold": "How many notes there were besides.",
  ]

  private static let noteLimit = 1_000
}

extension ImportReport {
  init(_ tally: ImportTally, notes read: [ImportNote], for reader: Reader, services: Services) {
    let all = read + tally.notes
    added = tally.added
    updated = tally.updated
    known = tally.known
    skipped = all.count { $0.reason.skips }
    notes = all.prefix(Self.noteLimit).map { note in
      Note(
        file: note.place.file, number: note.place.number, title: note.title, reason: note.reason,
        skipped: note.reason.skips,
        display: services.catalogue.string(for: note.reason.text, language: reader.language))
    }
    untold = all.count - notes.count
  }
}

extension ImportNote.Reason {
  fileprivate var text: Text {
    switch self {
    case .attachments: Text("diary.import.attachments")
    case .badDate: Text("diary.import.badDate")
    case .badZone: Text("diary.import.badZone")
    case .blank: Text("diary.import.blank")
    case .conflict: Text("diary.import.conflict")
    case .missingDate: Text("diary.import.missingDate")
    case .notText: Text("diary.import.notText")
    case .tooLong: Text("diary.import.tooLong")
    case .unreadable: Text("diary.import.unreadable")
    }
  }
}
