import Contract
import Display
import Kit
import Wire

/// A note on one item of an imported file: why it was skipped, or which part of it was. All imports use the same
/// reasons.
package struct ImportNote: Sendable, Equatable {
  package enum Reason: String, Choice {
    case attachments, badDate, badRule, badURL, badValue, badZone, blank, cameAgain, conflict, cutOff, cycle, deleted
    case keptOwn, missingDate, notTask, notText, repeated, sameTitle, secret, template, tooLong, undecided, unreadable

    /// Whether the item was skipped.
    package var skips: Bool {
      switch self {
      case .attachments, .badRule, .badValue, .badZone, .cameAgain, .conflict, .cutOff, .cycle, .keptOwn, .sameTitle,
        .undecided:
        false
      default: true
      }
    }
  }

  /// The position in the source: the file in a folder or archive, the number of the item from 1, and its first line if
  /// the format has lines.
  package struct Place: Sendable, Equatable {
    package var file: String?
    package var number: Int
    package var line: Int?

    package init(file: String? = nil, number: Int, line: Int? = nil) {
      self.file = file
      self.number = number
      self.line = line
    }
  }

  package var place: Place
  package var title: String?
  package var reason: Reason
  /// Whether the item was skipped, if that does not follow from the reason.
  package var isSkipped: Bool
  /// The field that the note is about, if it is about one.
  package var field: String?
  /// A more specific text than the reason's.
  package var text: Text?

  /// Keeps the beginning of the title, long enough to recognise the item.
  package init(
    _ reason: Reason, at place: Place, title: String = "", isSkipped: Bool? = nil, field: String? = nil,
    text: Text? = nil
  ) {
    self.place = place
    self.title = title.isEmpty ? nil : String(title.prefix(120))
    self.reason = reason
    self.isSkipped = isSkipped ?? reason.skips
    self.field = field
    self.text = text
  }
}

extension ImportNote {
  /// A note on an item that was changed in its file and here.
  ///
  /// - Parameter fields: the fields that were changed on both sides, all of which are named; empty if unknown.
  static func conflict(in fields: [String], at place: Place, title: String) -> ImportNote {
    var text: Text?
    if fields.count > 1 {
      text = Text("import.conflictInMore").saying(list(of: fields[...]), at: "fields")
    } else if let field = fields.first {
      text = Text("import.conflictIn", ["field": field])
    }
    return ImportNote(.conflict, at: place, title: title, field: fields.first, text: text)
  }

  /// The text that lists two fields or more.
  private static func list(of fields: ArraySlice<String>) -> Text {
    let first = fields.first ?? ""
    if fields.count <= 2 { return Text("import.fieldAndLast", ["field": first, "last": fields.last ?? ""]) }
    return Text("import.fieldAndMore", ["field": first]).saying(list(of: fields.dropFirst()), at: "others")
  }
}

/// The results of an import.
package struct ImportCounts: Sendable {
  package var added = 0
  package var updated = 0
  package var known = 0
  /// The number of items of which two versions of a field are stored, the file's and the library's.
  package var conflicts = 0
  /// The number of items that wait for the user's decision; nil for collections without such decisions.
  package var undecided: Int?
  package var notes: [ImportNote] = []

  package init() {}
}

/// The report of an import: its counts, and notes on skipped items.
package struct ImportReport: Payload {
  package struct Note: Payload {
    package var file: String?
    package var number: Int
    package var line: Int?
    package var title: String?
    package var reason: ImportNote.Reason
    package var field: String?
    package var skipped: Bool
    package var display: String
    package static let example = Note(
      file: nil, number: 3, line: nil, title: "A walk", reason: .missingDate, field: nil, skipped: true,
      display: "It has no date of writing.")
    package static let fields = [
      "file": "The file within a folder or an archive.", "number": "The item's position in the input, from 1.",
      "line": "The line where the item begins, from 1, if the format has lines.",
      "title": "Its title, if it could be read.", "reason": "What is wrong.",
      "field": "The item's field concerned, if any.",
      "skipped": "Whether the item was skipped. Otherwise it was imported without what the reason names.",
      "display": "The reason for people.",
    ]
  }

  package var added: Int
  package var updated: Int
  package var known: Int
  package var skipped: Int
  package var conflicts: Int?
  package var undecided: Int?
  package var notes: [Note]
  package var untold: Int
  package var unlisted: Int
  package var format: String
  package var confirm: String?

  package static let example = ImportReport(
    added: 12, updated: 0, known: 3, skipped: 1, conflicts: nil, undecided: nil, notes: [.example], untold: 0,
    unlisted: 0,
    format: "jrnl", confirm: nil)
  package static let fields = [
    "added": "The number of items added.",
    "updated": "The number of items updated from a file that has changed.",
    "known": "The number of items that already existed.", "skipped": "The number of items skipped.",
    "conflicts":
      "The number of items that have fields with two versions now, the library's and the file's: see "
      + "`changes/conflicts`. Absent if none.",
    "undecided":
      "The number of the file's rows that need a decision, from this or an earlier import: see `books/review`.",
    "notes": "Notes on single items, at most 1,000.", "untold": "The same as `unlisted`.",
    "unlisted": "The number of further notes.",
    "format": "The format that the file was read as.",
    "confirm": "In a dry run of a large import: the value to pass as `confirm`.",
  ]

  private static let noteLimit = 1_000
}

extension ImportReport {
  /// - Parameter inOrder: whether the notes of reading and of importing are listed together, in the order of the file.
  package init(
    _ counts: ImportCounts, notes read: [ImportNote], inOrder: Bool = false, format: String, confirm: String? = nil,
    for reader: Reader, services: Services
  ) {
    var all = read + counts.notes
    // The sort is stable.
    if inOrder { all.sort { $0.place.number < $1.place.number } }
    added = counts.added
    updated = counts.updated
    known = counts.known
    conflicts = counts.conflicts > 0 ? counts.conflicts : nil
    undecided = counts.undecided
    skipped = all.count { $0.isSkipped }
    notes = all.prefix(Self.noteLimit).map { note in
      Note(
        file: note.place.file, number: note.place.number, line: note.place.line, title: note.title,
        reason: note.reason, field: note.field, skipped: note.isSkipped,
        display: services.catalogue.string(for: note.text ?? note.reason.text, language: reader.language))
    }
    unlisted = all.count - notes.count
    untold = unlisted
    self.format = format
    self.confirm = confirm
  }
}

extension ImportNote.Reason {
  fileprivate var text: Text {
    switch self {
    case .attachments: Text("import.attachments")
    case .badDate: Text("import.badDate")
    case .badRule: Text("import.badRule")
    case .badValue: Text("import.badValue")
    case .badURL: Text("import.badURL")
    case .badZone: Text("import.badZone")
    case .blank: Text("import.blank")
    case .cameAgain: Text("import.cameAgain")
    case .conflict: Text("import.conflict")
    case .cutOff: Text("import.cutOff")
    case .cycle: Text("import.cycle")
    case .deleted: Text("import.deleted")
    case .keptOwn: Text("import.keptOwn")
    case .missingDate: Text("import.missingDate")
    case .notTask: Text("import.notTask")
    case .notText: Text("import.notText")
    case .repeated: Text("import.repeated")
    case .sameTitle: Text("import.sameTitle")
    case .secret: Text("import.secret")
    case .template: Text("import.template")
    case .tooLong: Text("import.tooLong")
    case .undecided: Text("import.undecided")
    case .unreadable: Text("import.unreadable")
    }
  }
}
