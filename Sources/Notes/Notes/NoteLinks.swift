import Kit
import Store

/// The collection of notes, and the links in them.
enum NoteLinks {
  static let collection: ItemCollection = {
    var collection = ItemCollection(of: ShownNote.self)
    // The text contains the title, whose links would count twice.
    collection.linking?.texts = [.init("text")]
    // A note is often referred to from outside, by the name of its file.
    collection.linking?.title?.keepsFormer = true
    collection.sync = CollectionSync()
    return collection.followed(by: .tags("noteTag", item: "note"))
  }()
}
