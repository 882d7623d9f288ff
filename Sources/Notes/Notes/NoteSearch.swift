import Kit
import SearchEngine
import Store
import Wire

/// The search source of notes.
enum NoteSearch {
  static let source: SearchSource = {
    var source = SearchSource(of: NoteRecord.self, label: Text("notes.collection"))
    source.tagged = { tag in
      SearchCondition(
        "EXISTS (SELECT 1 FROM noteTag WHERE tag = ? AND note = entry.item)", [.text(tag)],
        rows: .items(of: NoteRecord.collectionName, "SELECT note AS id FROM noteTag WHERE tag = ?", [.text(tag)]))
    }
    source.tags = { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT tag, (SELECT value FROM note, json_each(note.tags) WHERE note.id = some AND fold(value) = tag), count
        FROM (
          SELECT tag, max(note) AS some, count(*) AS count FROM noteTag
          WHERE tag >= ? AND tag < ? GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?)
        """)
    }
    return source
  }()
}
