import Contract
import HTTP
import Kit
import SearchEngine
import Store
import Wire

/// A subscription as an app sees it: a feed, or a board of another source.
struct AppFeed: Sendable {
  /// `feed/` and the id of the source, or of the board if the source can have several.
  var id: String
  var title: String
  /// The folder, or the source of several boards, which is their folder for the app.
  var label: String?
  var url: String
  var source: String
  var boards: [String]
}

/// All subscriptions, in the order of `boards/list`.
struct AppFeeds: Sendable {
  var feeds: [AppFeed] = []

  /// Between the names of folders in a label.
  static let separator = " / "
  /// The posts of no board: kept pages, and saved posts whose source was removed.
  static let pages = "feed/pages"

  init(in snapshot: Snapshot) throws {
    for source in try SourceRecord.all(in: snapshot) {
      let boards = try BoardRecord.all(of: source.id, in: snapshot)
      let url = SecretPlace.shown(WebURL.masked(source.url))
      let folders = source.folder.map(JSONList.strings) ?? []
      let folder = folders.isEmpty ? nil : folders.joined(separator: Self.separator)
      if source.kind == .feed {
        feeds.append(
          AppFeed(
            id: "feed/" + source.id, title: source.shownTitle, label: folder, url: url, source: source.id,
            boards: boards.map(\.id)))
        continue
      }
      for board in boards {
        feeds.append(
          AppFeed(
            id: "feed/" + board.id, title: BoardView.title(of: board, in: snapshot),
            label: folder ?? source.shownTitle, url: url, source: source.id, boards: [board.id]))
      }
    }
    let hasPages = try snapshot.db.first(AppStream.pagesCondition(first: true)) { _ in true } ?? false
    if hasPages {
      feeds.append(
        AppFeed(
          id: Self.pages, title: snapshot.words(Text("boards.appPages")), label: nil, url: "", source: "",
          boards: []))
    }
  }

  func feed(_ id: String) -> AppFeed? { feeds.first { sameBytes($0.id, id) } }
  func feed(ofBoard board: String) -> AppFeed? { feeds.first { $0.boards.contains(board) } }

  /// The labels of subscriptions, each once.
  var labels: [String] {
    var seen: Set<String> = []
    return feeds.compactMap(\.label).filter { seen.insert(foldedText($0)).inserted }
  }

  /// The boards of the feeds in a folder, and in the folders below it.
  func boards(labelled label: String) -> [String] {
    let folder = foldedText(label)
    return feeds.filter { feed in
      feed.label.map { Self.isIn(folder, foldedText($0)) } ?? false
    }.flatMap(\.boards)
  }

  /// Whether a label is that of a folder or of one below it; both are folded. The separator is put between them as it
  /// stands: folding would take its blanks away.
  private static func isIn(_ folder: String, _ label: String) -> Bool {
    label == folder || label.hasPrefix(folder + separator)
  }
}

extension AppFeeds {
  static func labelID(_ label: String) -> String { "user/-/label/" + label }

  /// The answer to `subscription/list`.
  var subscriptions: JSONValue {
    let list = feeds.map { feed -> JSONValue in
      let categories = feed.label.map { label -> [JSONValue] in
        [["id": .string(Self.labelID(label)), "label": .string(label)]]
      }
      return [
        "id": .string(feed.id), "title": .string(feed.title), "categories": .array(categories ?? []),
        "url": .string(feed.url), "htmlUrl": .string(feed.url), "iconUrl": "",
      ]
    }
    return ["subscriptions": .array(list)]
  }

  /// The answer to `tag/list`: what is saved, the folders, and the user's tags of posts.
  func tags(in snapshot: Snapshot) throws -> JSONValue {
    var tags: [JSONValue] = [["id": .string(AppStream.state("starred"))]]
    var seen: Set<String> = []
    for label in labels {
      seen.insert(foldedText(label))
      tags.append(["id": .string(Self.labelID(label)), "type": "folder"])
    }
    for tag in try snapshot.db.texts(
      """
      SELECT DISTINCT value FROM (SELECT DISTINCT post FROM postLabel) AS labelled
        CROSS JOIN postMark ON postMark.id = labelled.post, json_each(postMark.tags)
      ORDER BY value
      """)
    where seen.insert(foldedText(tag)).inserted {
      tags.append(["id": .string(Self.labelID(tag)), "type": "tag"])
    }
    return ["tags": .array(tags)]
  }

  /// The answer to `unread-count`: of each feed, each folder and all.
  func unread(in snapshot: Snapshot) throws -> JSONValue {
    var counts: [(id: String, count: Int, newest: Int64)] = []
    var labelled: [String: (count: Int, newest: Int64)] = [:]
    let folders = labels.map(foldedText)
    var all = (count: 0, newest: Int64(0))
    for feed in feeds {
      var (count, newest) = (0, Int64(0))
      for board in feed.boards {
        count +=
          try snapshot.db.first("SELECT unread FROM boardCount WHERE board = ?", [.text(board)]) { $0.int(0) } ?? 0
        newest = max(
          newest,
          try snapshot.db.first("SELECT max(arrivedAt) FROM boardPost WHERE board = ?", [.text(board)]) {
            $0.optionalInteger(0) ?? 0
          } ?? 0)
      }
      if feed.id == Self.pages {
        (count, newest) =
          try snapshot.db.first(AppStream.unreadPages) { ($0.int(0), $0.optionalInteger(1) ?? 0) } ?? (0, 0)
      }
      counts.append((feed.id, count, newest))
      all = (all.count + count, max(all.newest, newest))
      guard let label = feed.label else { continue }
      // A folder has what is in the folders below it, as its stream does.
      let folded = foldedText(label)
      for folder in folders where Self.isIn(folder, folded) {
        let known = labelled[folder] ?? (0, 0)
        labelled[folder] = (known.count + count, max(known.newest, newest))
      }
    }
    for label in labels {
      guard let sum = labelled[foldedText(label)] else { continue }
      counts.append((Self.labelID(label), sum.count, sum.newest))
    }
    counts.append((AppStream.state("reading-list"), all.count, all.newest))
    let list = counts.filter { $0.count > 0 }.map { count -> JSONValue in
      [
        "id": .string(count.id), "count": .integer(Int64(count.count)),
        "newestItemTimestampUsec": .string(String(count.newest * 1_000)),
      ]
    }
    return ["max": .integer(Int64(all.count)), "unreadcounts": .array(list)]
  }
}
