import Contract
import Display
import HTTP
import Kit
import Store
import Wire

/// A subscribed calendar in replies.
typealias CalendarReply = ItemJSON<ShownCalendar>

/// A subscribed calendar as one client sees it.
struct ShownCalendar: SnapshotItem {
  static let name = "Calendar"

  let item: CalendarRecord
  private let snapshot: Snapshot

  init(_ calendar: CalendarRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (calendar, snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("failure", "Why the last fetch failed. The events of the last successful one stay.", example: nil) {
      try $0.problem
    },
    DerivedMember(
      "unconfirmed",
      "True until a place imported from an archive is confirmed: its file is not read, and its URL is not fetched from a "
        + "private network. Confirm it with `projects/updateCalendar` and the `url` or the `path`.", example: nil
    ) { $0.item.isTyped ? nil : true },
    DerivedMember("display", of: "Calendar.Display", "Strings for people.") {
      DerivedMember("title", "Its title, else the calendar's own, else its host or file.", example: "Holidays") {
        $0.item.shownTitle
      }
      DerivedMember("events", "The number of its events.", example: "12 events") {
        $0.snapshot.words(Text("projects.calendarEvents", ["count": String($0.item.events)]))
      }
      DerivedMember("date", "When it was last read; absent if never.", example: "Nov 21, 2026 at 2:44 AM") { shown in
        shown.item.fetchedAt.map {
          shown.snapshot.services.dates.string(.dateAndTime, at: $0.milliseconds, for: shown.snapshot.reader)
        }
      }
    },
  ]

  private var problem: RemoteProblem? {
    get throws {
      try item.failure.map {
        let services = snapshot.services
        let error =
          services.http.isOffline && item.url != nil
          ? RPCError(HTTPFailure.offline) : try StoredJSON<StoredProblem>(stored: $0).value().error(at: services.now())
        return RemoteProblem(error, for: snapshot.reader, services: services)
      }
    }
  }

  static let example: CalendarRecord = {
    var calendar = CalendarRecord()
    (calendar.id, calendar.revision) = ("0196", 45)
    calendar.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (calendar.updatedAt, calendar.fetchedAt) = (calendar.createdAt, calendar.createdAt)
    calendar.nextAt = Instant(milliseconds: 1_795_229_045_678)
    (calendar.url, calendar.foundTitle, calendar.events) = ("https://calendar.example/holidays.ics", "Holidays", 12)
    return calendar
  }()
}
