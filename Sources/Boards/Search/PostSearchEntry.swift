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
      },
      // The mark of a post has its id, and may outlive it.
      PostMarkRecord.collectionName: { mark, snapshot in
        try snapshot.db.first("SELECT id FROM post WHERE id = ?", [.text(mark)]) { $0.text(0) }
      },
    ],
    states: [
      SearchState("read", where: mark("readAt IS NOT NULL"), rows: marked("readAt")),
      SearchState("unread", where: "NOT " + mark("readAt IS NOT NULL")),
      SearchState("saved", where: mark("savedAt IS NOT NULL"), rows: marked("savedAt")),
      SearchState("hidden", where: mark("hiddenAt IS NOT NULL AND savedAt IS NULL"), rows: hidden),
      SearchState("quoted", where: mark("quotes <> '[]'"), rows: marked(where: "quotes <> '[]'", by: "updatedAt")),
      SearchState("noted", where: mark("note IS NOT NULL"), rows: marked(where: "note IS NOT NULL", by: "updatedAt")),
      SearchState("page", where: post(KeepPage.rows)),
      SearchState("notice", where: post("kind = 'notice'")),
      SearchState("attachment", where: post("attachmentsCount > 0")),
    ],
    tagged: { tag in
      // Each source's content of a post has its own topics; the user's tags are the post's.
      let below = FoldedTag(tag).below
      let values: [SQLValue] = [.text(tag), .text(below.lowerBound), .text(below.upperBound)]
      let (tagged, known) = ("(tag = ? OR tag >= ? AND tag < ?)", "(+tag = ? OR +tag >= ? AND +tag < ?)")
      let holders = "SELECT DISTINCT holder AS id FROM postTag WHERE \(tagged)"
      let labelled = "SELECT DISTINCT post AS id FROM postLabel WHERE \(tagged)"
      return SearchCondition(
        """
        (EXISTS (SELECT 1 FROM postTag WHERE holder = entry.item AND \(known))
        OR EXISTS (SELECT 1 FROM postLabel WHERE post = \(owner) AND \(known)))
        """, values + values,
        rows: .items(of: PostRecord.collectionName, "\(holders) UNION \(labelled)", values + values)
          + .items(
            of: PostAccount.collectionName,
            "\(holders) UNION SELECT postAccount.id FROM (\(labelled)) AS some JOIN postAccount ON post = some.id",
            values + values)
          + .items(of: PostMarkRecord.collectionName, "\(holders) UNION \(labelled)", values + values))
    },
    tags: { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT tag, coalesce(\(spelling("post")), \(spelling("postAccount")), \(spelling("postMark", in: "tags"))), count
        FROM (
          SELECT tag, max(holder) AS some, count(DISTINCT post) AS count FROM (
            SELECT tag, holder, post FROM postTag WHERE tag >= ?1 AND tag < ?2
            UNION ALL SELECT tag, post, post FROM postLabel WHERE tag >= ?1 AND tag < ?2)
          GROUP BY tag ORDER BY count(DISTINCT post) DESC, tag LIMIT ?3)
        """)
    },
    from: { name, snapshot in
      let sources = try snapshot.db.texts(
        """
        SELECT id FROM boardSource WHERE instr(fold(coalesce(title, foundTitle)), ?1)
          OR EXISTS (SELECT 1 FROM json_each(folder) WHERE instr(fold(value), ?1))
        """, [.text(name)])
      let boards = try snapshot.db.texts(
        "SELECT id FROM board WHERE instr(fold(displayName), ?)", [.text(name)])
      let values: [SQLValue] = [.text(JSONList.json(sources)), .text(JSONList.json(boards)), .text(name)]
      // Few writers wrote the posts: each of their names is folded once.
      let posts = """
        SELECT post AS id FROM json_each(?1) AS named CROSS JOIN postOrigin ON source = named.value
        UNION ALL SELECT post FROM json_each(?2) AS named CROSS JOIN boardPost ON board = named.value
        UNION ALL SELECT * FROM (
          WITH RECURSIVE name(writer) AS (
            SELECT min(writer) FROM post WHERE NOT isAnonymous
            UNION ALL
            SELECT (SELECT min(post.writer) FROM post WHERE NOT isAnonymous AND post.writer > name.writer)
            FROM name WHERE name.writer IS NOT NULL
          )
          SELECT post.id FROM name CROSS JOIN post ON post.writer = name.writer AND NOT post.isAnonymous
          WHERE instr(fold(name.writer), ?3))
        """
      // A hidden post is on no board.
      return SearchCondition(
        """
        (EXISTS (SELECT 1 FROM postOrigin WHERE post = \(owner) AND source IN (SELECT value FROM json_each(?)))
        OR EXISTS (SELECT 1 FROM boardPost WHERE post = \(owner) AND board IN (SELECT value FROM json_each(?)))
        OR EXISTS (SELECT 1 FROM post WHERE id = \(owner) AND NOT isAnonymous AND instr(fold(writer), ?)))
        """, values,
        rows: .items(of: PostRecord.collectionName, posts, values)
          + .items(
            of: PostAccount.collectionName,
            "SELECT postAccount.id FROM (\(posts)) AS some CROSS JOIN postAccount ON post = some.id", values)
          + .items(of: PostMarkRecord.collectionName, posts, values))
    },
    moments: ItemMoments(
      since: "SELECT id FROM post WHERE at >= ? ORDER BY at DESC",
      before: "SELECT id FROM post WHERE at < ? ORDER BY at DESC"),
    lead: { found, snapshot in
      guard found.hit.collection == PostMarkRecord.collectionName else {
        return SearchLead(found, of: PostRecord.collectionName)
      }
      // A note has no title of its own.
      var found = found
      let title = try snapshot.db.first("SELECT title FROM post WHERE id = ?", [.text(found.item)]) { $0.text(0) }
      found.title = title ?? ""
      return SearchLead(found, of: PostRecord.collectionName)
    },
    passages: PassageSource(
      table: PostMarkRecord.tableName, where: "quotes <> '[]' OR note IS NOT NULL",
      items: "SELECT id FROM postMark WHERE quotes <> '[]' UNION ALL "
        + "SELECT id FROM postMark WHERE note IS NOT NULL AND quotes = '[]'"
    ) { item, snapshot in
      // The mark of a post may outlive it.
      guard let mark = try snapshot.find(PostMarkRecord.self, id: item),
        try snapshot.find(PostSummary.self, id: item) != nil
      else { return [] }
      return (try mark.quotes.value().map { Passage($0.text, note: $0.note) } + [Passage(mark.note)]).compactMap(\.self)
    })

  /// The post of a text.
  private static let owner = """
    CASE entry.collection WHEN 'postAccounts' THEN (SELECT post FROM postAccount WHERE id = entry.item) \
    ELSE entry.item END
    """

  /// A tag in the form of the table's rows.
  private static func spelling(_ table: String, in column: String = "categories") -> String {
    """
    (SELECT value FROM \(table), json_each(\(table).\(column)) \
    WHERE \(table).id = some AND fold(value) = tag LIMIT 1)
    """
  }

  private static func mark(_ condition: String) -> String {
    "EXISTS (SELECT 1 FROM postMark WHERE postMark.id = \(owner) AND \(condition))"
  }

  private static let hidden: SearchRows = {
    let posts =
      "SELECT post AS id, at FROM listedPost WHERE list = \(PostTimeline.List.hidden.rawValue) ORDER BY at DESC"
    return .items(of: PostRecord.collectionName, "SELECT id FROM (\(posts))")
      + .items(
        of: PostAccount.collectionName,
        "SELECT postAccount.id FROM (\(posts)) AS hidden CROSS JOIN postAccount ON post = hidden.id")
      + .items(of: PostMarkRecord.collectionName, "SELECT id FROM (\(posts))")
  }()

  /// Ordered by the mark's time, the latest first.
  private static func marked(_ column: String) -> SearchRows {
    marked(where: "\(column) IS NOT NULL", by: column)
  }

  private static func marked(where condition: String, by column: String) -> SearchRows {
    let marks = "FROM postMark WHERE \(condition) ORDER BY \(column) DESC"
    return .items(of: PostRecord.collectionName, "SELECT id \(marks)")
      + .items(
        of: PostAccount.collectionName,
        "SELECT postAccount.id FROM (SELECT id \(marks)) AS mark CROSS JOIN postAccount ON post = mark.id")
      + .items(of: PostMarkRecord.collectionName, "SELECT id \(marks)")
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

  /// The user's note on a post, which is found as the post. At the time of the post, as its own text is.
  static func noteEntries(of id: String, in db: Database) throws -> [SearchEntry] {
    let found = try db.first(
      "SELECT note, coalesce((SELECT at FROM post WHERE post.id = postMark.id), 0) FROM postMark "
        + "WHERE id = ? AND note IS NOT NULL", [.text(id)]
    ) { (note: $0.text(0), at: $0.integer(1)) }
    guard let found else { return [] }
    return [
      SearchEntry(
        collection: PostMarkRecord.collectionName, item: id, part: 0, at: found.at, title: "", body: found.note,
        tags: "")
    ]
  }

  private static func entry(_ collection: String, _ id: String, _ content: some PostContent) -> SearchEntry {
    entry(collection, id, content.head, text: content.text)
  }

  static func entry(_ collection: String, _ id: String, _ head: PostHead, text: String) -> SearchEntry {
    SearchEntry(
      collection: collection, item: id, part: 0, at: head.at.milliseconds, title: head.title, body: text,
      tags: head.isAnonymous ? "" : head.writer ?? head.address ?? "")
  }
}
