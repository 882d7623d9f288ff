import Contract
import Store
import Wire

/// A form of texts that a feature makes from its items, such as a day of the diary.
///
/// Features bring their forms through `Feature.texts`. The text feature writes the texts into a folder for editors, the
/// desk, and saves them, and knows no feature.
package protocol LibraryTextForm: Sendable {
  /// The collections whose items its texts show.
  var collections: Set<String> { get }
  /// Whether a commit may add an item to a text, so that every commit in `collections` concerns it.
  var grows: Bool { get }
  /// Whether its texts are others on another day, without a commit.
  var followsDay: Bool { get }
  func shows(_ path: TextPath) -> Bool
  /// The path for which an alias such as `diary/today.md` stands.
  func canonical(_ path: TextPath, in snapshot: Snapshot) -> TextPath
  /// The text; nil if the library has nothing for this path.
  ///
  /// - Throws: `RPCError`, such as `passwordRequired` or `ambiguous`; `StoreError.broken`, `DatabaseError`.
  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText?
  /// Where an item is shown; nil if this form shows no items of its collection, or not this one.
  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText?
  /// How a changed text is saved; nil for texts that are read-only.
  var editing: (any TextEditing)? { get }
}

extension LibraryTextForm {
  package var grows: Bool { false }
  package var followsDay: Bool { false }
  package func canonical(_ path: TextPath, in snapshot: Snapshot) -> TextPath { path }

  /// - Throws: nothing.
  package func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? { nil }
  package var editing: (any TextEditing)? { nil }
}

/// An item, or a place in it, to which a link or a search result leads.
package struct TextTarget: Sendable {
  package var collection: String
  package var id: String
  /// The fragment of its stable link.
  package var places: [StableLink.Place]
  /// A field of the item and an offset in it, in UTF-8 bytes: the place of a link in its text.
  package var field: String?
  package var offset: Int

  package init(
    collection: String, id: String, places: [StableLink.Place] = [], field: String? = nil, offset: Int = 0
  ) {
    (self.collection, self.id, self.places) = (collection, id, places)
    (self.field, self.offset) = (field, offset)
  }

  package init(_ link: StableLink) { self.init(collection: link.collection, id: link.item, places: link.places) }
}

/// A line of a text.
package struct LineOfText: Sendable, Equatable {
  package var path: TextPath
  /// From 0.
  package var line: Int

  package init(_ path: TextPath, line: Int = 0) { (self.path, self.line) = (path, line) }
}

/// The texts of all features in one state of the library.
package struct TextPlaces {
  private let snapshot: Snapshot

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  package func form(of path: TextPath) -> (any LibraryTextForm)? {
    snapshot.services.library.textForms.first { $0.shows(path) }
  }

  /// The path for which an alias stands, and any other path as it is.
  package func canonical(_ path: TextPath) -> TextPath { form(of: path)?.canonical(path, in: snapshot) ?? path }

  /// Where an item is shown; nil for one that no text shows.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func place(of target: TextTarget) throws -> LineOfText? {
    for form in snapshot.services.library.textForms where form.collections.contains(target.collection) {
      if let place = try form.place(of: target, in: snapshot) { return place }
    }
    return nil
  }

  /// - Returns: nil for a path of no form, or for which the library has nothing.
  /// - Throws: as `LibraryTextForm.render`.
  package func render(_ path: TextPath) throws -> RenderedText? { try form(of: path)?.render(path, in: snapshot) }

  /// Whether the collections of a text have changed since a clock.
  ///
  /// - Throws: `DatabaseError`.
  package func hasChanged(_ path: TextPath, since clock: Int64) throws -> Bool {
    guard let collections = form(of: path)?.collections else { return false }
    var isChanged = false
    try snapshot.db.each("SELECT DISTINCT collection FROM changes WHERE clock > ?", [.integer(clock)]) {
      isChanged = isChanged || collections.contains($0.text(0))
    }
    return isChanged
  }
}

/// Where an editor finds a text of the library.
package struct TextLocation: Sendable, Equatable {
  package var uri: String
  /// From 0.
  package var line: Int

  package init(uri: String, line: Int) { (self.uri, self.line) = (uri, line) }
}
