import Kit
import SearchEngine
import Store
import Wire

/// The search source of notes.
enum NoteSearch {
  static let tags = TagTable("noteTag", of: NoteRecord.self, item: "note")

  static let source: SearchSource = {
    var source = SearchSource(of: NoteRecord.self, label: Text("notes.collection"))
    (source.tagged, source.tags) = (tags.tagged, tags.tags)
    source.passages = PassageSource(table: NoteRecord.tableName) { item, snapshot in
      let text = try snapshot.db.first(
        "SELECT substr(text, 1, ?) FROM note WHERE id = ?", [.integer(Passage.longest + 1), .text(item)]
      ) { $0.text(0) }
      return [Passage(text)].compactMap(\.self)
    }
    return source
  }()
}
