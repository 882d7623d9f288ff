import Contract
import HTTP
import Kit
import Markup
import SQLite
import Store
import Wire

package struct SourceID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A row of a source. The first part is the user's, the second part was fetched.
struct SourceRecord: StoredItem {
  static let collectionName = "sources"
  static let tableName = "boardSource"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var kind = SourceKind.feed
  /// As given, in the form that is sent.
  var url = ""
  /// The user's title; without one the source's is shown.
  var title: String?
  var credential: String?
  /// The folders of an OPML file that contain it, outermost first, as a JSON list.
  var folder: String?
  /// Attributes from an OPML file that we do not understand, as a JSON object, stored for a lossless export.
  var foreign: String?
  /// Whether a person typed or confirmed the URL. A URL from a file reaches public addresses only.
  var isTyped = true
  /// Older posts are dropped; see `SourceLimits`.
  var keepDays: Int?
  /// Posts beyond the newest ones are dropped.
  var keepPosts: Int?
  /// The least time between two automatic fetches, in minutes.
  var every: Int?
  /// Its unread posts are not among those of all sources.
  var isQuiet = false
  /// When the whole articles of its posts are fetched.
  var wholeText = WholeText.never
  /// The elements of its pages that contain the article, as CSS; nil for a guess.
  var selector: String?
  /// The elements of the page at the URL that are its posts, as CSS, if it has no feed.
  var items: String?

  var foundTitle: String?
  /// The target of a permanent redirect, or the feed that a page named. Requested in place of `url`.
  var movedTo: String?
  /// `SourceState` of its boards.
  var state: String?
  /// When it was last fetched.
  var fetchedAt: Instant?
  /// When it is next requested in the background; nil before the first time.
  var nextAt: Instant?
  /// The number of failed requests in a row.
  var failures = 0
  /// A `StoredProblem` as JSON.
  var failure: String?
  /// It is not requested automatically any more: it is gone for good, or needs another credential.
  var isStopped = false

  /// The limits that a client can set.
  static let (daysKept, postsKept) = (1...36_500, 1...1_000_000)

  func check() throws {
    guard (try? SourceURL.checked(url, field: "url")) != nil, movedTo.map({ (try? WebURL($0)) != nil }) ?? true else {
      throw StoreError.broken(path: "", reason: "badURL")
    }
  }

  static let fields = Fields<Self> {
    Field("kind", \.kind, "The source's type.")
    Field("url", \.url, .place, "Its URL, as given.")
      .shared(.latest, with: "kind")
      .settable(
        as: String.self,
        "Its new URL, or the same to confirm one imported from a file. It has no user, password or token, but "
          + "`{credential}` in place of the credential.", limits: .length(1...4_096, notBlank: true), clearable: false
      ) { url, source, _ in
        source.url = try SourceURL.checked(url, field: "url")
        source.isTyped = true
      }
    Field("title", \.title, .text(1...1_000, notBlank: true), "The user's own title.")
      .settable("Its title; null for the source's own.")
    Field("credential", \.credential, .text(1...256, notBlank: true), "The name of its credential in config.toml.")
      .settable("The name of its credential in config.toml; null for none.")
    Field("folder", \.folder, .json(.array(.string)), "Its folders in an OPML file.")
      .settable(
        as: [String].self, "Its folders in an OPML file, outermost first; null for none.",
        limits: .length(0...32)
      ) { folder, source, _ in
        source.folder = folder.isEmpty ? nil : try StoredJSON(folder).json
      }
    Field("foreign", \.foreign).shared(.quiet)
    Field("isTyped", \.isTyped).internal.imported(as: .bool(false))
    Field(
      "keepDays", \.keepDays, .integer(daysKept),
      "The number of days for which its posts are stored. Posts that are saved, tagged, pinned, linked to, or carried by "
        + "another source stay."
    ).settable(
      "The number of days for which its posts are stored; null for no limit. Older ones are dropped when it is "
        + "next fetched, and not fetched again: that cannot be undone. Posts that are saved, tagged, pinned, linked to, or "
        + "carried by another source stay.")
    Field("keepPosts", \.keepPosts, .integer(postsKept), "The number of its newest posts that are stored.")
      .settable("The number of its newest posts that are stored; null for no limit. As for `keepDays`.")
    Field(
      "every", \.every, .integer(FetchSchedule.interval), "The least number of minutes between two automatic fetches."
    ).settable(
      "The least number of minutes between two automatic fetches; null for the daemon's own schedule. A source "
        + "that asks for fewer requests gets fewer.")
    Field(
      "isQuiet", as: "quiet", \.isQuiet,
      "Whether its unread posts are left out of the list and the number of the unread posts of all sources."
    ).settable(clearable: false)
    Field(
      "wholeText", \.wholeText,
      "Whether the whole articles of its posts are fetched from their links, for a feed that gives only summaries: `never` "
        + "unless requested, `auto` when a post is opened, `always` as the posts arrive."
    ).settable(clearable: false)
    Field(
      "selector", \.selector, .text(1...ElementSelector.lengthLimit, notBlank: true),
      "The elements of its pages that contain the article, as CSS: `article > .text, #content`."
    ).settable(
      as: String.self,
      "The elements of its pages that contain the article: CSS of types, classes, ids, attributes, descendants and "
        + "children; null to guess them.", limits: .length(1...ElementSelector.lengthLimit, notBlank: true)
    ) { selector, source, _ in
      source.selector = try checked(selector, field: "selector")
    }
    Field(
      "items", \.items, .text(1...ElementSelector.lengthLimit, notBlank: true),
      "The elements of the page at its URL that are its posts, as CSS, if it has no feed: `li.news, article`."
    ).settable(
      as: String.self,
      "The elements of the page at its URL that are its posts, for a page without a feed: CSS as for `selector`; null to "
        + "look for a feed. A post has the first link in its element, or that of its heading.",
      limits: .length(1...ElementSelector.lengthLimit, notBlank: true)
    ) { items, source, _ in
      source.items = try checked(items, field: "items")
    }
    // Only fetching changes these; part of no version.
    Field("foundTitle", \.foundTitle, "The source's own title.").quiet
    Field(
      "movedTo", \.movedTo, FieldType<String>.place.optional,
      "The URL that is fetched: the feed that a page named, or the target of a permanent redirect."
    ).quiet
    Field("state", \.state).quiet
    Field("fetchedAt", \.fetchedAt, "When it last answered.").quiet
    Field("nextAt", \.nextAt, "When it is next fetched automatically.").quiet
    Field("failures", \.failures, "The number of failed fetches in a row.").quiet
    Field("failure", \.failure).quiet
    Field(
      "isStopped", as: "stopped", \.isStopped,
      "Whether automatic fetches have stopped: the source is gone, or requires another credential. `boards/refresh` "
        + "fetches it."
    ).quiet
  }

  /// - Throws: `invalidParams` for a text that is no selector.
  static func checked(_ selector: String, field: String) throws(RPCError) -> String {
    guard ElementSelector(selector) != nil else {
      throw .invalidParams(field: field, reason: Text("boards.notSelector"))
    }
    return selector
  }

  /// Whether it sent a usable response within the last minute: a page that fails then concerns its board alone.
  func isHeardLately(at now: Instant) -> Bool {
    failure == nil && (fetchedAt.map { now.milliseconds - $0.milliseconds <= RefreshSchedule.lookAgain } ?? false)
  }

  /// Whether some of its posts are dropped. Posts beyond its first page are not fetched then.
  var isLimited: Bool { keepDays != nil || keepPosts != nil }

  /// The address to request.
  var address: SourceAddress {
    var address = SourceAddress(kind: kind, url: movedTo ?? url, credential: credential)
    if movedTo != nil { address.given = url }
    address.isTyped = isTyped
    address.items = items
    return address
  }
  /// The address from which the ids of its boards and posts are derived: the same when it is added again.
  var home: SourceAddress { SourceAddress(kind: kind, url: url, credential: nil) }
}

extension FieldType where Value == String {
  /// A URL, shown without credentials.
  fileprivate static var place: FieldType {
    String.fieldType.traveling(as: String.wireType.written { SecretPlace.shown(WebURL.masked($0)) })
  }
}

extension SourceRecord {
  static func all(in snapshot: Snapshot) throws -> [SourceRecord] {
    try all(in: snapshot.db, "ORDER BY createdAt, id")
  }

  /// The source of this kind at this URL, also if it was added by another address of the same service, such as one
  /// with the path of its API. Inspects all sources of the kind for that, except feeds.
  static func at(_ url: String, kind: SourceKind, in snapshot: Snapshot) throws -> SourceRecord? {
    let known = try first(in: snapshot.db, "WHERE kind = ? AND url = ?", [.text(kind.rawValue), .text(url)])
    guard known == nil, kind != .feed else { return known }
    let service = kind.service(at: url)
    return try all(in: snapshot.db, "WHERE kind = ? ORDER BY createdAt, id", [.text(kind.rawValue)])
      .first { sameBytes(kind.service(at: $0.url), service) }
  }

  /// The source that is requested at this URL: the one that was added by it, or one that a page or a redirect led
  /// there and that uses the same credential. Inspects all sources.
  static func asked(
    at url: String, kind: SourceKind, credential: String?, in snapshot: Snapshot
  ) throws -> SourceRecord? {
    if let known = try at(url, kind: kind, in: snapshot) { return known }
    return try first(
      in: snapshot.db, "WHERE kind = ? AND movedTo = ? AND credential IS ?",
      [.text(kind.rawValue), .text(url), .text(credential)])
  }

  /// The URLs to which a page or a redirect led sources of this kind, without a credential.
  static func places(of kind: SourceKind, in snapshot: Snapshot) throws -> Set<String> {
    Set(
      try snapshot.db.texts(
        "SELECT movedTo FROM boardSource WHERE kind = ? AND movedTo IS NOT NULL AND credential IS NULL",
        [.text(kind.rawValue)]))
  }

  /// Writes the results of a fetch, and reports those that a client sees.
  static func note(_ values: [(column: String, value: SQLValue)], of id: String, in transaction: Transaction) throws {
    try QuietColumns.write(values, of: SourceRecord.self, id: id, in: transaction)
  }
}
