import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search entry of a post: its title, its text, and in the tags its writer, unless that is anonymous. Each
/// source's content is an entry of its own, so that a board's search finds the text that the board shows.
///
/// A post's topics according to a source (`categories`) are searched by `tag:`, and are not part of its text: the
/// entry's tags are used by `boards/search {target: writer}`, which would otherwise find posts that nobody of that
/// name wrote.
enum PostSearchEntry {
  static let source = SearchSource(
    collection: PostRecord.collectionName, label: Text("boards.collection"), scope: .boards,
    aliases: [
      PostAccount.collectionName: { account, snapshot in
        try snapshot.db.first("SELECT post FROM postAccount WHERE id = ?", [.text(account)]) { $0.text(0) }
      }
    ],
    states: [
      SearchState("read", where: mark("readAt"), rows: marked("readAt")),
      SearchState("unread", where: "NOT " + mark("readAt")),
      SearchState("saved", where: mark("savedAt"), rows: marked("savedAt")),
      SearchState("notice", where: post("kind = 'notice'")),
      SearchState("attachment", where: post("attachmentsCount > 0")),
    ],
    tagged: { tag in
      // Each source's content of a post has its own topics.
      let below = FoldedTag(tag).below
      let values: [SQLValue] = [.text(tag), .text(below.lowerBound), .text(below.upperBound)]
      let holders = "SELECT DISTINCT holder AS id FROM postTag WHERE tag = ? OR tag >= ? AND tag < ?"
      return SearchCondition(
        """
        EXISTS (SELECT 1 FROM postTag WHERE holder = entry.item AND (+tag = ? OR +tag >= ? AND +tag < ?))
        """, values,
        rows: .items(of: PostRecord.collectionName, holders, values)
          + .items(of: PostAccount.collectionName, holders, values))
    },
    tags: { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT tag, ifnull(\(spelling("post")), \(spelling("postAccount"))), count
        FROM (
          SELECT tag, max(holder) AS some, count(DISTINCT post) AS count FROM postTag
          WHERE tag >= ? AND tag < ? GROUP BY tag ORDER BY count(DISTINCT post) DESC, tag LIMIT ?)
        """)
    },
    moments: ItemMoments(
      since: "SELECT id FROM post WHERE at >= ? ORDER BY at DESC",
      before: "SELECT id FROM post WHERE at < ? ORDER BY at DESC"),
    lead: { found, _ in SearchLead(found, of: PostRecord.collectionName) })

  /// The post of a text.
  private static let owner = """
    CASE entry.collection WHEN 'postAccounts' THEN (SELECT post FROM postAccount WHERE id = entry.item) \
    ELSE entry.item END
    """

  /// A tag in the form of the table's rows.
  private static func spelling(_ table: String) -> String {
    """
    (SELECT value FROM \(table), json_each(\(table).categories) \
    WHERE \(table).id = some AND fold(value) = tag LIMIT 1)
    """
  }

  private static func mark(_ column: String) -> String {
    "EXISTS (SELECT 1 FROM postMark WHERE postMark.id = \(owner) AND \(column) IS NOT NULL)"
  }

  /// Ordered by the mark's time, the latest first.
  private static func marked(_ column: String) -> SearchRows {
    let marks = "FROM postMark WHERE \(column) IS NOT NULL ORDER BY \(column) DESC"
    return .items(of: PostRecord.collectionName, "SELECT id \(marks)")
      + .items(
        of: PostAccount.collectionName,
        "SELECT postAccount.id FROM (SELECT id \(marks)) AS mark CROSS JOIN postAccount ON post = mark.id")
  }

  private static func post(_ condition: String) -> String {
    "EXISTS (SELECT 1 FROM post WHERE post.id = \(owner) AND \(condition))"
  }

  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    try PostRecord.find(id, in: db).map { [entry(PostRecord.collectionName, id, $0)] } ?? []
  }

  static func accountEntries(of id: String, in db: Database) throws -> [SearchEntry] {
    try PostAccount.find(id, in: db).map { [entry(PostAccount.collectionName, id, $0)] } ?? []
  }

  private static func entry(_ collection: String, _ id: String, _ content: some PostContent) -> SearchEntry {
    let head = content.head
    return SearchEntry(
      collection: collection, item: id, part: 0, at: head.at.milliseconds, title: head.title, body: content.text,
      tags: head.isAnonymous ? "" : head.writer ?? head.address ?? "")
  }
}
