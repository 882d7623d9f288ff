import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// An entry as a file has it, ready to be put in.
struct ImportedEntry: Sendable {
  /// What tells an entry that came before from a new one.
  enum Identity: Sendable {
    /// It says which entry of a library it is, and of which revision.
    case own(EntryID, revision: FileRevision?)
    /// The program that wrote the file gave it a name.
    case named(String)
    /// Only its moment and its text tell.
    case content

    var isOwn: Bool {
      if case .own = self { true } else { false }
    }

    var revision: FileRevision? {
      if case .own(_, let revision) = self { revision } else { nil }
    }
  }

  var place: ImportNote.Place
  var text: String
  var day: CalendarDay
  /// Whether the file says the day, and not only the moment.
  var saysDay: Bool
  var timeZone: String
  var writtenAt: Instant
  var identity: Identity
  /// The id that an entry of this moment and text always gets, so that the same file brings nothing twice.
  var contentID: String
  /// Whether it is the first of its file that says this at this moment.
  var isFirst = true
  /// Whether another form of its file may have its title and what follows parted in another way (``TitleBreak``).
  var hasLooseTitle = false
  /// What tells it from the entries of all files whatever its text becomes: an edit of it is known by that. Nil where
  /// nothing does.
  ///
  ///     another program's file, a note each     its path
  ///     an entry a line, or a list              the path and the moment; of several of one moment also the title
  ///     our own file                            the path and the entry's id; only copies have it, see `ImportDecision`
  ///     a name that the program gave            that, in any file
  var origin: String?
  /// Where its file lies, of a file of ours; nil where it came as bytes.
  var path: String?
  var state: EntryState

  var id: String {
    switch identity {
    case .own(let id, _): id.text
    case .named(let name): Self.id(of: name)
    case .content: contentID
    }
  }

  /// An id that follows from what identifies an entry.
  static func id(of key: String) -> String { String(Blobs.hash(of: Array("diary/\(key)".utf8)).prefix(32)) }
}

/// What a format has read so far.
struct ImportReading: Sendable {
  /// For what says no zone of its own: the client's.
  let zone: Zone
  let dayStartsAt: Int
  private(set) var entries: [ImportedEntry] = []
  private var ownNotes: [ImportNote] = []
  private var leftOut = LeftOutFields()
  var notes: [ImportNote] { ownNotes + leftOut.notes }
  /// How often each entry came: who wrote the same twice within a minute wrote it twice.
  private var occurrences: [String: Int] = [:]
  /// What the first entry of each name says.
  private var named: [String: String] = [:]
  /// Zones by their names: each is a file, which is not read anew for every entry.
  private var zones: [String: Zone] = [:]
  /// The absolute path of what is read; nil where that has none.
  var source: String?
  /// Of all entries that come: see `ImportedEntry.hasLooseTitle`.
  var hasLooseTitles = false

  init(zone: Zone, dayStartsAt: Int) {
    self.zone = zone
    self.dayStartsAt = dayStartsAt
  }

  mutating func note(_ reason: ImportNote.Reason, at place: ImportNote.Place, text: String = "") {
    ownNotes.append(ImportNote(reason, at: place, title: EntryText(text).title))
  }

  /// Takes in an entry of which only the wall is known on which it was written. What tells it from others is what that
  /// showed: the same file is read by clients in different zones.
  mutating func add(_ text: String, at place: ImportNote.Place, writtenAt: Instant, on wall: WallTime) {
    add(text, at: place, writtenAt: writtenAt, day: wall.day, moment: "\(wall.day) \(wall.minutes):\(wall.seconds)")
  }

  /// Takes an entry in, or notes why it cannot be. `moment` tells when it was written, where the instant does not; `file`
  /// is the path of a file of its own.
  mutating func add(
    _ text: String, at place: ImportNote.Place, writtenAt: Instant, day: CalendarDay? = nil, zone: Zone? = nil,
    identity: ImportedEntry.Identity = .content, moment: String? = nil, file: String? = nil
  ) {
    if let reason = Self.refusal(of: text) { return note(reason, at: place, text: text) }
    let zone = zone ?? self.zone
    let shown = DayClock(zone: zone, dayStartsAt: dayStartsAt).day(of: writtenAt.milliseconds)
    // Where it was written it was a day of the year 0, which nobody's calendar has.
    guard let own = CalendarDay(year: shown.year, month: shown.month, day: shown.day) else {
      return note(.badDate, at: place, text: text)
    }
    let moment = moment ?? String(writtenAt.milliseconds)
    let key = "\(moment)/\(text)"
    let first = ImportedEntry.id(of: key)
    let (identity, isFirst) = settle(identity, of: text, at: place)
    // What says which entry it is, is not counted: in a mirror the copy that was kept of a file lies beside that file.
    let earlier = identity.isOwn ? 0 : occurrences[first, default: 0]
    if !identity.isOwn { occurrences[first] = earlier + 1 }
    let origin: String? =
      switch identity {
      case .own(let id, _): (file ?? source).map { "\($0)/\(id.text)" }
      case .named(let name): isFirst ? name : nil
      case .content: file ?? source.map { "\($0)/\(moment)" }
      }
    entries.append(
      ImportedEntry(
        place: place, text: text, day: day ?? own, saysDay: day != nil,
        timeZone: zone.identifier, writtenAt: writtenAt, identity: identity,
        contentID: earlier == 0 ? first : ImportedEntry.id(of: "\(earlier)/\(key)"), isFirst: earlier == 0,
        hasLooseTitle: hasLooseTitles, origin: origin, path: identity.isOwn ? file ?? source : nil,
        state: EntryState(day: day ?? own, text: text)))
  }

  /// A name is one entry's. What has the name of an entry before and says something else is an entry of its own, or it
  /// would be taken for that one and be lost.
  private mutating func settle(
    _ identity: ImportedEntry.Identity, of text: String, at place: ImportNote.Place
  ) -> (identity: ImportedEntry.Identity, isFirst: Bool) {
    guard case .named(let name) = identity else { return (identity, true) }
    guard let first = named[name] else {
      named[name] = text
      return (identity, true)
    }
    if sameBytes(first, text) { return (identity, false) }
    ownNotes.append(
      ImportNote(
        .repeated, at: place, title: EntryText(text).title, isSkipped: false, text: Text("diary.import.sameName")))
    return (.content, false)
  }

  /// Of several files that say they are the same state of the same entry, as of one that was copied to write the next,
  /// one is. That is the one which is named as we name it, or else the first; what the others say is an entry of its own.
  private mutating func settleCopies() {
    var places: [String: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      guard case .own(let id, let revision) = entry.identity else { continue }
      places["-\(id.text).md/\(revision?.number ?? 0)/\(revision?.epoch ?? "")", default: []].append(index)
    }
    for (key, all) in places where all.count > 1 {
      let name = String(key.prefix { $0 != "/" })
      let own = all.first { entries[$0].place.file?.hasSuffix(name) ?? false } ?? all[0]
      for index in all where !sameBytes(entries[index].text, entries[own].text) {
        let entry = entries[index]
        entries[index].identity = .content
        entries[index].origin = entry.place.file == nil ? nil : entry.path
        entries[index].path = nil
        ownNotes.append(
          ImportNote(
            .repeated, at: entry.place, title: EntryText(entry.text).title, isSkipped: false,
            text: Text("diary.import.sameName")))
      }
    }
  }

  /// To be called when all is read: entries of the same origin are told apart by their titles, or not at all.
  mutating func settleOrigins() {
    settleCopies()
    for isLast in [false, true] {
      var counts: [String: Int] = [:]
      for origin in entries.compactMap(\.origin) { counts[origin, default: 0] += 1 }
      for (index, entry) in entries.enumerated() {
        guard let origin = entry.origin, counts[origin, default: 0] > 1 else { continue }
        entries[index].origin = isLast ? nil : "\(origin)/\(EntryText(entry.text).title)"
      }
    }
    for index in entries.indices {
      entries[index].origin = entries[index].origin.map { ImportedEntry.id(of: "origin/\($0)") }
    }
  }

  /// Says that an entry has fields for which there is no place here.
  mutating func leaveOut(_ fields: [String], at place: ImportNote.Place, text: String) {
    if !fields.isEmpty { leftOut.add(fields, at: place, title: EntryText(text).title) }
  }

  /// The zone that a file names, or the client's with a note where there is none such.
  mutating func zone(named name: String?, at place: ImportNote.Place, text: String) -> Zone {
    guard let name else { return zone }
    if let known = zones[name] ?? Zone(name) {
      zones[name] = known
      return known
    }
    note(.badZone, at: place, text: text)
    return zone
  }

  private static func refusal(of text: String) -> ImportNote.Reason? {
    if text.hasNUL { return .notText }
    // A text has at most as many scalars as bytes.
    if text.utf8.count > EntryText.maximumLength, text.unicodeScalars.count > EntryText.maximumLength {
      return .tooLong
    }
    return EntryText(text).isBlank ? .blank : nil
  }
}
