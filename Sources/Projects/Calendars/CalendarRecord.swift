import Contract
import HTTP
import Kit
import Store
import Wire

package struct CalendarID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A subscribed calendar: the place of an iCalendar file, which is read again and again and never written. The first
/// part is the user's, the second part was fetched.
struct CalendarRecord: StoredItem {
  static let collectionName = "calendars"
  static let tableName = "calendar"
  /// The most calendars of a library.
  static let most = 50

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// In the form that is sent; nil for a file.
  var url: String?
  /// An absolute path; nil for a URL.
  var path: String?
  /// The `FileConfinement` of the client that gave the path, as JSON.
  var confinement: String?
  /// The user's title; without one the calendar's is shown.
  var title: String?
  var credential: String?
  /// The least time between two automatic fetches, in minutes.
  var every: Int?
  /// Whether a person gave or confirmed its place. A URL from an archive reaches public addresses only, and a path from
  /// an archive is not read.
  var isTyped = true

  var foundTitle: String?
  /// When it was last read, or found unchanged.
  var fetchedAt: Instant?
  /// When it is next fetched automatically; nil before the first time.
  var nextAt: Instant?
  /// The number of failed fetches in a row.
  var failures = 0
  /// A `StoredProblem` as JSON.
  var failure: String?
  var events = 0
  /// Whether it has more events than are stored.
  var isCut = false

  static let fields = Fields<Self> {
    Field("url", \.url, placeType.optional, "Its URL, as given; absent for a file.")
      .settable(
        as: String.self,
        "Its new URL, or the same to confirm one from an archive. It has no user, password or token, but `{credential}` in "
          + "place of the credential.", limits: .length(1...4_096, notBlank: true), clearable: false
      ) { url, calendar, _ in
        calendar.url = try SourceURL.checked(url, field: "url")
        (calendar.path, calendar.confinement, calendar.isTyped) = (nil, nil, true)
      }
    Field("path", \.path, FieldType<String>.form(.absolutePath).optional, "The path of its file; absent for a URL.")
      .settable(
        as: String.self, "The absolute path of its new file, or the same to confirm one from an archive.",
        limits: .form(.absolutePath), clearable: false
      ) { path, calendar, snapshot in
        (calendar.path, calendar.url, calendar.credential) = (path, nil, nil)
        (calendar.confinement, calendar.isTyped) = (snapshot.feature.confinement?.json, true)
      }
      // A file of this machine: a calendar with a path is not shared.
      .shared(.own)
    Field("confinement", \.confinement).internal.shared(.own)
    Field("title", \.title, .text(1...1_000, notBlank: true), "The user's own title.")
      .settable("Its title; null for the calendar's own.")
    Field("credential", \.credential, .text(1...256, notBlank: true), "The name of its credential in config.toml.")
      .settable("The name of its credential in config.toml; null for none.")
    Field(
      "every", \.every, .integer(FetchSchedule.interval), "The least number of minutes between two automatic fetches."
    )
    .settable("The least number of minutes between two automatic fetches; null for an hour.")
    Field("isTyped", \.isTyped).internal.imported(as: .bool(false))
    // Only fetching changes these; part of no version.
    Field("foundTitle", \.foundTitle, "The calendar's own title.").quiet
    Field("fetchedAt", \.fetchedAt, "When it was last read, or found unchanged.").quiet
    Field("nextAt", \.nextAt, "When it is next fetched automatically.").quiet
    Field("failures", \.failures, "The number of failed fetches in a row.").quiet
    Field("failure", \.failure).quiet
    Field("events", \.events, "The number of its stored events; a series is one.").quiet
    Field(
      "isCut", as: "incomplete", \.isCut, "Whether it has more events: of so many, those that end last are stored."
    ).quiet
  }

  /// A URL, shown without credentials.
  private static let placeType: FieldType<String> = String.fieldType.traveling(
    as: String.wireType.written { SecretPlace.shown(WebURL.masked($0)) })

  func check() throws {
    let isSound =
      switch (url, path) {
      case (let url?, nil): (try? SourceURL.checked(url, field: "url")) != nil
      case (nil, let path?): path.hasPrefix("/")
      default: false
      }
    guard isSound else { throw StoreError.broken(path: "", reason: "badURL") }
  }
}

extension CalendarRecord {
  /// The one at this URL, or of this file.
  ///
  /// - Throws: `DatabaseError`.
  static func at(url: String?, path: String?, in snapshot: Snapshot) throws -> CalendarRecord? {
    try first(in: snapshot.db, "WHERE url IS ? AND path IS ?", [.text(url), .text(path)])
  }

  /// Whether another calendar is read from another place, or in another way.
  func isElsewhere(than other: CalendarRecord) -> Bool {
    url != other.url || path != other.path || credential != other.credential || isTyped != other.isTyped
      || confinement != other.confinement
  }

  /// Its title for people: the user's, else its own, else its host or the name of its file.
  var shownTitle: String {
    title ?? foundTitle ?? url.flatMap { Origin($0)?.host } ?? path?.split(separator: "/").last.map(String.init) ?? id
  }

  /// Its place for people.
  var shownPlace: String { url.map { SecretPlace.shown(WebURL.masked($0)) } ?? path ?? "" }
}
