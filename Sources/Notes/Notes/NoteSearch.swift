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
    return source
  }()
}
