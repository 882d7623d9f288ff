import Contract
import Display
import Kit
import Store
import Wire

/// An entry in replies.
typealias DiaryEntry = ItemJSON<ShownEntry>

/// The actions that a client offers for an entry.
enum EntryAction: String, Choice {
  case share, remove
}

/// An entry as one client sees it.
struct ShownEntry: SnapshotItem {
  static let name = "DiaryEntry"

  let item: EntryRecord
  let text: TitledText
  let title: String
  /// The time at which it was written, in the user's zone.
  let time: String
  let snapshot: Snapshot

  init(_ record: EntryRecord, in snapshot: Snapshot) {
    (item, text, self.snapshot) = (record, TitledText(record.text), snapshot)
    title = text.title
    time = snapshot.services.dates.string(.time, at: record.writtenAt.milliseconds, for: snapshot.reader)
  }

  /// An entry of a journey is about the day there, and has the time of the clocks there.
  private var dayTime: String? {
    let services = snapshot.services
    var there = snapshot.reader
    if there.zone.identifier != item.timeZone, let zone = Zone.known(item.timeZone) { there.zone = zone }
    guard services.day(of: item.writtenAt, in: there.zone) == item.day else { return nil }
    return services.dates.string(.time, at: item.writtenAt.milliseconds, for: there)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("title", "The first line that is not blank.", example: "A walk") { $0.title },
    DerivedMember("preview", "The beginning of the body, on one line.", example: "Along the river.") {
      $0.text.preview
    },
    DerivedMember("body", "The text below the title; absent in lists.", example: "Along the river.") {
      $0.text.body
    }.omittedInLists,
    DerivedMember(
      "actions", "The possible actions: `diary/share`, `diary/remove`.", example: ["share", "remove"]
    ) { _ in EntryAction.allCases },
    DerivedMember("display", of: "DiaryEntry.Display", "Strings for people.") {
      DerivedMember(
        "title",
        "Its label: the title without heading markup, truncated for lists.",
        example: "A walk"
      ) { $0.snapshot.name(of: $0.text) }
      DerivedMember("date", "The day when it was written, on the client's calendar.", example: "Nov 21, 2026") {
        $0.snapshot.heading(at: $0.item.writtenAt)
      }
      DerivedMember("time", "The time of day when it was written.", example: "3:04 AM") { $0.time }
      DerivedMember(
        "day", "The day that it is about, in the locale's medium style, or its word: today, yesterday.",
        example: "today"
      ) { shown -> String in
        let (reader, services) = (shown.snapshot.reader, shown.snapshot.services)
        return services.dates.relativeString(
          .mediumDate, on: shown.item.day.yearMonthDay, today: services.today(for: reader).yearMonthDay, for: reader)
      }
      DerivedMember(
        "dayTime", "The time of that day when it was written, in the zone where it was; absent if on another day.",
        example: "3:04 AM"
      ) { $0.dayTime }
      DerivedMember("actions", "The words for `actions`, in the same order.", example: ["Share", "Delete"]) {
        [$0.snapshot.words(Text("diary.share")), $0.snapshot.words(Text("confirm.delete"))]
      }
    },
  ]

  static let example: EntryRecord = {
    var entry = EntryRecord()
    (entry.id, entry.revision) = ("0192", 42)
    entry.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (entry.updatedAt, entry.writtenAt) = (entry.createdAt, entry.createdAt)
    (entry.day, entry.timeZone) = (CalendarDay(daysSince1970: 20_778), "Etc/UTC")
    (entry.text, entry.tags) = ("A walk\nAlong the river.", ["outside"])
    return entry
  }()
}

extension Snapshot {
  /// The date above a text.
  func heading(at instant: Instant) -> String {
    services.dates.string(.heading, at: instant.milliseconds, for: reader)
  }
}
