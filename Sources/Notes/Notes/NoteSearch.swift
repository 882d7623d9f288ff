import Kit
import SearchEngine
import Store
import Wire

/// The search source of notes.
enum NoteSearch {
  static let source: SearchSource = {
    var source = SearchSource(of: NoteRecord.self, label: Text("notes.collection"))
    let tags = TagTable("noteTag", of: NoteRecord.self, item: "note")
    (source.tagged, source.tags) = (tags.tagged, tags.tags)
    return source
  }()
}
