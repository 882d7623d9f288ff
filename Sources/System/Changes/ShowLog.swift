import Contract
import Display
import Kit
import Store
import Wire

enum ShowLog: ReadMethod {
  static let name = "changes/log"
  static let summary =
    "The commits, newest first: who, what, when, and whether they can be undone. Commits that only record a search are "
    + "omitted."
  static let effects: Effects = .reads

  struct Params: Payload {
    var limit: Int?
    var after: String?
    var client: String?
    static let example = Params(limit: 20, after: nil, client: nil)
    static let fields = [
      "limit": "Maximum number. Default 50.", "after": "`next` of the previous page.",
      "client": "Only the commits of the client with this name.",
    ]
    static let limits: [String: FieldLimits] = [
      "limit": FieldLimits(minimum: 1, maximum: 500), "client": .length(1...256),
    ]
  }

  enum Action: String, Choice {
    case undo, redo
  }

  struct Entry: Payload {
    var clock: Int64
    var client: String
    var label: String
    var at: Instant
    var action: Action?
    var undoable: Bool
    var undoOf: Int64?
    var undoneBy: Int64?
    var reason: String?
    var display: Display

    struct Display: Payload {
      var title: String
      var day: String
      var dayTime: String
      var undo: String?
      static let example = Display(title: "A paper", day: "today", dayTime: "3:04 AM", undo: nil)
      static let fields = [
        "title":
          "The title of the item changed, or of a mark's document, with the number of others of its kind; empty if it "
          + "has none.",
        "day": "The day of the commit, or its word: today, yesterday.", "dayTime": "The time of the commit.",
        "undo": "The commit that it undid, or that undid it.",
      ]
    }

    static let example = Entry(
      clock: 42, client: "nvim", label: "documents/toggleBookmark", at: Instant(milliseconds: 1_795_225_445_678),
      action: nil, undoable: true, undoOf: nil, undoneBy: nil, reason: nil, display: .example)
    static let fields = [
      "clock": "The commit.", "client": "The client's name, or empty.", "label": "The method that made it.",
      "at": "When it was made.",
      "action": "Whether it is an undo or a redo. Absent for an ordinary commit.",
      "undoable": "Whether `changes/undo` can undo it now.",
      "undoOf": "The commit that this one undid.", "undoneBy": "The commit that undid this one.",
      "reason": "Why the client made it, if the request stated a `reason`.",
      "display": "Strings for people.",
    ]
  }
  typealias Result = Page<Entry>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Entry> {
    let limit = params.limit ?? 50
    let before = try clock(ofCursor: params.after)
    let records = try CommitRecord.log(in: snapshot, before: before, of: params.client, limit: limit + 1)
    let total = try CommitRecord.count(in: snapshot, of: params.client)
    let offset = try CommitRecord.count(in: snapshot, from: before, of: params.client)
    var known = CommitSubject.Known()
    let items = try records.prefix(limit).map { record in
      Entry(
        clock: record.clock, client: record.client, label: record.label, at: record.at,
        action: Action(rawValue: record.action.rawValue), undoable: record.undoable, undoOf: record.undoOf,
        undoneBy: record.undoneBy, reason: record.reason,
        display: try .init(record, known: &known, in: snapshot))
    }
    return Page(
      items: items, offset: offset, limit: limit, total: total,
      next: records.count > limit ? items.last.map { String($0.clock) } : nil)
  }
}

extension ShowLog.Entry.Display {
  private static let longestTitle = 120

  fileprivate init(_ commit: CommitRecord, known: inout CommitSubject.Known, in snapshot: Snapshot) throws {
    let (reader, services) = (snapshot.reader, snapshot.services)
    let subject = try services.library.subject(of: commit.clock, known: &known, in: snapshot)
    let name = subject?.title.map(Self.cut) ?? ""
    let others = (subject?.count ?? 1) - 1
    title =
      others == 0 || name.isEmpty
      ? name : snapshot.words(Text("changes.andOthers", ["title": name, "count": String(others)]))
    day = services.dates.relativeString(
      .mediumDate, on: services.day(of: commit.at, in: reader.zone).yearMonthDay,
      today: services.today(for: reader).yearMonthDay, for: reader)
    dayTime = services.dates.string(.time, at: commit.at.milliseconds, for: reader)
    undo = Self.undo(commit).map(snapshot.words)
  }

  /// Only an undo can be redone, so a commit that reverted an undo is a redo.
  private static func undo(_ commit: CommitRecord) -> Text? {
    if let clock = commit.undoneBy.map(String.init) {
      return commit.action == .undo
        ? Text("changes.redoneBy", ["clock": clock]) : Text("changes.undoneBy", ["clock": clock])
    }
    return commit.undoOf.map(String.init).map { clock in
      commit.action == .redo ? Text("changes.redoOf", ["clock": clock]) : Text("changes.undoOf", ["clock": clock])
    }
  }

  private static func cut(_ title: String) -> String {
    let beginning = title.prefix(longestTitle)
    return beginning.endIndex == title.endIndex ? title : beginning + "…"
  }
}
