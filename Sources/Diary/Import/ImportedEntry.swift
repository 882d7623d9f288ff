import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// An entry of an imported file.
struct ImportedEntry: Sendable {
  /// How an entry of an earlier import is recognised.
  enum Identity: Sendable {
    /// It states the entry's id in a library, and the revision.
    case own(EntryID, revision: FileRevision?)
    /// The program that wrote the file gave it a name. `known` is the entry of the library that was exported with it.
    case named(String, known: String?)
    /// Only its time and its text identify it.
    case content

    /// Whether the library exported it to a program that keeps only its uuid.
    var isKnown: Bool {
      if case .named(_, _?) = self { true } else { false }
    }

    var isOwn: Bool {
      if case .own = self { true } else { false }
    }

    var revision: FileRevision? {
      if case .own(_, let revision) = self { revision } else { nil }
    }
  }

  var place: ImportNote.Place
  var text: String
  var tags: [String]
  var isStarred: Bool
  var details: EntryDetails
  /// Whether the file states coordinates that are none. Those of the entry stay.
  var hasUnreadableCoordinates = false
  /// Nil for a format without front matter: the entry's stays.
  var frontMatter: String?
  /// The members of an entry of Day One that no field states, as JSON; nil for another format.
  var dayOne: String?
  var day: CalendarDay
  /// Whether the file states the day, and not only the time.
  var saysDay: Bool
  var timeZone: String
  var writtenAt: Instant
  var identity: Identity
  /// The id derived from its time and text, so that importing the same file again creates no duplicates.
  var contentID: String
  /// Whether it is the first in its file with this time and text.
  var isFirst = true
  /// Whether another format of its program may separate title and body differently (``TitleBreak``).
  var hasLooseTitle = false
  /// Identifies it among the entries of all files independently of its text, so that an edit of it is recognised. Nil
  /// if nothing does.
  ///
  ///     another program's file, one per note    its path
  ///     an entry per line, or a list            the path and the time; of several with one time also the title
  ///     our own file                            the path and the entry's id; only copies have it, see `ImportDecision`
  ///     a name from its program                 the name, in any file
  var origin: String?
  /// The path of its file, for a file of ours; nil for an import of bytes.
  var path: String?
  var state: EntryState

  var id: String {
    switch identity {
    case .own(let id, _): id.text
    case .named(let name, let known): known ?? Self.id(of: name)
    case .content: contentID
    }
  }

  /// An id derived from a key.
  static func id(of key: String) -> String { String(Blobs.hash(of: Array("diary/\(key)".utf8)).prefix(32)) }
}

/// The results of parsing so far.
struct ImportReading: Sendable {
  /// For entries without a zone: the client's.
  let zone: Zone
  let dayStartsAt: Int
  /// The journal of the entries that state none.
  var journal = ""
  /// See `EntryRecord.idsByUUID`.
  var knownUUIDs: [String: String] = [:]
  private(set) var entries: [ImportedEntry] = []
  private var ownNotes: [ImportNote] = []
  private var leftOut = LeftOutFields()
  var notes: [ImportNote] { ownNotes + leftOut.notes }
  /// The number of occurrences of each entry: the same text written twice within a minute is two entries.
  private var occurrences: [String: Int] = [:]
  /// The text of the first entry with each name.
  private var named: [String: String] = [:]
  /// A cache of zones by name, since loading a zone reads a file.
  private var zones: [String: Zone] = [:]
  /// The absolute path of the source; nil if it has none.
  var source: String?
  /// The files that the entries show; nil without a library to store them in.
  var files: IncomingFiles?
  /// For all entries of the source: see `ImportedEntry.hasLooseTitle`.
  var hasLooseTitles = false

  init(zone: Zone, dayStartsAt: Int) {
    self.zone = zone
    self.dayStartsAt = dayStartsAt
  }

  mutating func note(_ reason: ImportNote.Reason, at place: ImportNote.Place, text: String = "") {
    ownNotes.append(ImportNote(reason, at: place, title: TitledText(text).title))
  }

  /// Adds an entry that states only a local time. That local time identifies it, since clients in different zones may
  /// import the same file.
  mutating func add(
    _ text: String, at place: ImportNote.Place, writtenAt: Instant, on local: LocalDateTime, tags: [String] = [],
    isStarred: Bool = false
  ) {
    let moment = "\(local.day) \(local.minutes):\(local.seconds)"
    add(text, at: place, writtenAt: writtenAt, day: local.day, moment: moment, tags: tags, isStarred: isStarred)
  }

  /// Adds an entry, or notes why it cannot be added. `moment` identifies the time, if the instant does not; `file` is
  /// the path of a file of its own.
  mutating func add(
    _ text: String, at place: ImportNote.Place, writtenAt: Instant, day: CalendarDay? = nil, zone: Zone? = nil,
    identity: ImportedEntry.Identity = .content, moment: String? = nil, file: String? = nil,
    tags: [String] = [], isStarred: Bool = false, details: EntryDetails = EntryDetails(),
    hasUnreadableCoordinates: Bool = false, frontMatter: String? = nil, dayOne: String? = nil
  ) {
    var details = details
    // An entry of a library states that it is in none.
    if details.journal.isEmpty, !identity.isOwn { details.journal = journal }
    if let reason = Self.refusal(of: text) { return note(reason, at: place, text: text) }
    let zone = zone ?? self.zone
    let tags = TagList.possible(tags)
    let shown = DayClock(zone: zone, dayStartsAt: dayStartsAt).day(of: writtenAt.milliseconds)
    // In its zone the day was in the year 0, which the civil calendar does not have.
    guard let own = CalendarDay(year: shown.year, month: shown.month, day: shown.day) else {
      return note(.badDate, at: place, text: text)
    }
    let moment = moment ?? String(writtenAt.milliseconds)
    let key = "\(moment)/\(text)"
    let first = ImportedEntry.id(of: key)
    let (identity, isFirst) = settle(identity, of: text, at: place)
    // Entries with an id are not counted: in a mirror a copy that was set aside is beside the original file.
    let earlier = identity.isOwn ? 0 : occurrences[first, default: 0]
    if !identity.isOwn { occurrences[first] = earlier + 1 }
    let origin: String? =
      switch identity {
      case .own(let id, _): (file ?? source).map { "\($0)/\(id.text)" }
      case .named(let name, _): isFirst ? name : nil
      case .content: file ?? source.map { "\($0)/\(moment)" }
      }
    entries.append(
      ImportedEntry(
        place: place, text: text, tags: tags, isStarred: isStarred, details: details,
        hasUnreadableCoordinates: hasUnreadableCoordinates, frontMatter: frontMatter, dayOne: dayOne,
        day: day ?? own, saysDay: day != nil,
        timeZone: zone.identifier, writtenAt: writtenAt, identity: identity,
        contentID: earlier == 0 ? first : ImportedEntry.id(of: "\(earlier)/\(key)"), isFirst: earlier == 0,
        hasLooseTitle: hasLooseTitles, origin: origin, path: identity.isOwn ? file ?? source : nil,
        state: EntryState(
          day: day ?? own, text: text, tags: tags, isStarred: isStarred, details: details,
          frontMatter: frontMatter ?? "")))
  }

  /// A name belongs to one entry. Another text with the same name is an entry of its own; otherwise it would be taken
  /// for the first one and be lost.
  private mutating func settle(
    _ identity: ImportedEntry.Identity, of text: String, at place: ImportNote.Place
  ) -> (identity: ImportedEntry.Identity, isFirst: Bool) {
    guard case .named(let name, _) = identity else { return (identity, true) }
    guard let first = named[name] else {
      named[name] = text
      return (identity, true)
    }
    if sameBytes(first, text) { return (identity, false) }
    ownNotes.append(
      ImportNote(
        .repeated, at: place, title: TitledText(text).title, isSkipped: false, text: Text("diary.import.sameName")))
    return (.content, false)
  }

  /// Of several files with the same id and revision, for example after copying one as a template, one keeps the
  /// identity: the one with the file name that we write, or else the first. The others are entries of their own, if
  /// their text differs.
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
            .repeated, at: entry.place, title: TitledText(entry.text).title, isSkipped: false,
            text: Text("diary.import.sameName")))
      }
    }
  }

  /// Call it after parsing: entries with the same origin are distinguished by their titles, or get none.
  mutating func settleOrigins() {
    settleCopies()
    for isLast in [false, true] {
      var counts: [String: Int] = [:]
      counts.reserveCapacity(entries.count)
      for case let origin? in entries.lazy.map(\.origin) { counts[origin, default: 0] += 1 }
      // So it is in most files. Their entries are not hashed again.
      if !counts.values.contains(where: { $0 > 1 }) { break }
      for index in entries.indices {
        guard let origin = entries[index].origin, counts[origin, default: 0] > 1 else { continue }
        entries[index].origin = isLast ? nil : "\(origin)/\(TitledText(entries[index].text).title)"
      }
    }
    for index in entries.indices {
      entries[index].origin = entries[index].origin.map { ImportedEntry.id(of: "origin/\($0)") }
    }
  }

  /// Notes that an entry has fields that are not imported.
  mutating func leaveOut(_ fields: [String], at place: ImportNote.Place, text: String) {
    if !fields.isEmpty { leftOut.add(fields, at: place, title: TitledText(text).title) }
  }

  /// The zone by its name in the file, or the client's with a note if it is unknown.
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
    if isTooLong(text) { return .tooLong }
    return TitledText(text).isBlank ? .blank : nil
  }

  static func isTooLong(_ text: String) -> Bool {
    // A text has at most as many scalars as bytes.
    text.utf8.count > TitledText.maximumLength && text.unicodeScalars.count > TitledText.maximumLength
  }
}
