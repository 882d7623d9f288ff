import Exchange
import FoundationEssentials
import HTTP
import Kit
import Markup
import Store
import Wire

/// A source in a file of subscriptions.
struct Subscription: Sendable {
  var kind: SourceKind
  /// In the form that is sent.
  var url: String
  var title: String?
  var outline: OutlineAttributes
  var limits = Limits()

  /// The limits of the source, as attributes of ours.
  struct Limits: Sendable, Equatable {
    var keepDays: Int?
    var keepPosts: Int?
    var every: Int?
    var isQuiet = false
    /// The elements of a page without a feed that are its posts.
    var items: String?
    var wholeText = WholeText.never
    /// The elements of its pages that are the article.
    var selector: String?
  }

  /// The file's data in addition to kind, URL and title.
  struct OutlineAttributes: Codable, Sendable, Equatable {
    /// The file's own type, if it is not one of ours.
    var type: String?
    var site: String?
    var note: String?
    /// All folders that contain it, each outermost first.
    var folders: [[String]]
    /// The attributes of other programs, which an export writes again.
    var others: [OutlineDocument.Attribute]?
  }

  func record(id: String) throws -> SourceRecord {
    var record = SourceRecord()
    record.id = id
    record.kind = kind
    record.url = url
    record.title = title
    record.isTyped = false
    record.folder = try outline.folders.first.flatMap { $0.isEmpty ? nil : try StoredJSON($0).json }
    record.foreign = try StoredJSON(outline).json
    (record.keepDays, record.keepPosts, record.every) = (limits.keepDays, limits.keepPosts, limits.every)
    (record.isQuiet, record.items) = (limits.isQuiet, limits.items)
    (record.wholeText, record.selector) = (limits.wholeText, limits.selector)
    return record
  }

  // MARK: - From a file

  /// Each source once, with all its folders; and notes on the other outlines.
  static func read(
    _ bytes: [UInt8], checkCancelled: () throws -> Void
  ) throws -> (subscriptions: [Subscription], notes: [ImportNote]) {
    let document: OutlineDocument
    do {
      document = try OPML.read(Data(bytes), checkCancelled: checkCancelled)
    } catch OutlineFailure.notAnOutline {
      throw WrongFormat(reason: "notOPML")
    } catch is MarkupFailure {
      throw WrongFormat(reason: "notXML")
    }
    var subscriptions: [Subscription] = []
    var places: [String: Int] = [:]
    var notes: [ImportNote] = []
    var passed = 0
    for (index, feed) in document.feeds.enumerated() {
      // Counted as in the file: including the outlines that were refused before it.
      while passed < document.refused.count, document.refused[passed].before <= index { passed += 1 }
      let place = ImportNote.Place(number: index + passed + 1)
      let url: String
      do {
        url = try SourceURL.checked(feed.url, field: "url")
      } catch {
        let reason: ImportNote.Reason = error.text.key == SourceURL.secretKey ? .secret : .badURL
        notes.append(ImportNote(reason, at: place, title: feed.title ?? ""))
        continue
      }
      let kind = feed.type.flatMap { SourceKind(rawValue: $0.lowercased()) } ?? .feed
      let key = "\(kind.rawValue) \(url)"
      let folders = [feed.folders] + feed.otherFolders
      if let known = places[key] {
        let new = folders.filter { !subscriptions[known].outline.folders.contains($0) }
        if new.isEmpty { notes.append(ImportNote(.repeated, at: place, title: feed.title ?? "")) }
        subscriptions[known].outline.folders += new
        continue
      }
      places[key] = subscriptions.count
      subscriptions.append(
        Subscription(
          kind: kind, url: url, title: FetchedPost.fitted(feed.title),
          outline: OutlineAttributes(
            type: feed.type, site: feed.site, note: feed.note, folders: folders,
            others: feed.others.isEmpty ? nil : feed.others),
          limits: Limits(feed.extensions)))
    }
    for (index, refused) in document.refused.enumerated() {
      notes.append(
        ImportNote(
          reason(of: refused.url, isOneTooMany: refused.before >= OPML.limit),
          at: .init(number: refused.before + index + 1), title: refused.title ?? "",
          isSkipped: true))
    }
    notes.sort { $0.place.number < $1.place.number }
    if !document.isComplete {
      notes.append(ImportNote(.cutOff, at: .init(number: document.feeds.count + document.refused.count + 1)))
    }
    return (subscriptions, notes)
  }

  /// Why an outline was refused when the file was read: because of its URL, or because there are too many.
  private static func reason(of url: String, isOneTooMany: Bool) -> ImportNote.Reason {
    do {
      _ = try SourceURL.checked(url, field: "url")
      return isOneTooMany ? .cutOff : .badURL
    } catch {
      return error.text.key == SourceURL.secretKey ? .secret : .badURL
    }
  }

  // MARK: - Into a file

  /// The outlines of a source, one for each folder that contains it.
  static func outlines(of record: SourceRecord) throws -> [OutlineDocument.Feed] {
    let stored = try record.foreign.map { try StoredJSON<OutlineAttributes>(stored: $0).value() }
    let folder = try record.folder.map { try StoredJSON<[String]>(stored: $0).value() } ?? []
    var folders = stored?.folders ?? []
    if folders.isEmpty { folders = [folder] } else { folders[0] = folder }
    let type = record.kind == .feed ? stored?.type ?? "rss" : record.kind.rawValue
    return folders.map { folder in
      OutlineDocument.Feed(
        url: SecretPlace.shown(record.url), title: record.title ?? record.foundTitle, site: stored?.site,
        folders: folder,
        type: type,
        note: stored?.note, extensions: Limits(of: record).attributes, others: stored?.others ?? [])
    }
  }
}

extension Subscription.Limits {
  init(of record: SourceRecord) {
    self.init(
      keepDays: record.keepDays, keepPosts: record.keepPosts, every: record.every, isQuiet: record.isQuiet,
      items: record.items, wholeText: record.wholeText, selector: record.selector)
  }

  /// From attributes of a file, without those that no client could set.
  init(_ attributes: [String: String]) {
    func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
      attributes[name].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
    keepDays = number("keepDays", SourceRecord.daysKept)
    keepPosts = number("keepPosts", SourceRecord.postsKept)
    every = number("every", FetchSchedule.interval)
    isQuiet = attributes["quiet"] == "true"
    items = attributes["items"].flatMap { try? SourceRecord.checked($0, field: "items") }
    wholeText = attributes["wholeText"].flatMap(WholeText.init) ?? .never
    selector = attributes["selector"].flatMap { try? SourceRecord.checked($0, field: "selector") }
  }

  var attributes: [String: String] {
    let numbers = [("keepDays", keepDays), ("keepPosts", keepPosts), ("every", every)]
    var attributes: [String: String] = [:]
    for (name, number) in numbers { attributes[name] = number.map { String($0) } }
    if isQuiet { attributes["quiet"] = "true" }
    attributes["items"] = items
    if wholeText != .never { attributes["wholeText"] = wholeText.rawValue }
    attributes["selector"] = selector
    return attributes
  }
}
