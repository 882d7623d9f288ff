import Contract
import Wire

/// How a collection takes part in links. The tables of links and titles are derived from this declaration alone.
package struct Linking: Sendable {
  /// The column of the title by which `[[title]]` matches an item; nil if items cannot be linked by title.
  package var title: Title?
  /// The columns of texts that may contain links.
  package var texts: [Texts]
  /// Set if an item of this collection is a place in another item.
  package var place: Place?
  /// The item as it is shown beside a link; nil if it was deleted.
  package var shown: @Sendable (_ id: String, _ snapshot: Snapshot) throws -> LinkedItem?

  package init(
    title: Title? = nil, texts: [Texts] = [], place: Place? = nil,
    shown: @escaping @Sendable (_ id: String, _ snapshot: Snapshot) throws -> LinkedItem?
  ) {
    self.title = title
    self.texts = texts
    self.place = place
    self.shown = shown
  }

  /// A place in another item. It may have moved to another item than a link names, so its row is authoritative.
  package struct Place: Sendable {
    /// Its name in a link, without the `#`: `highlight` for `#highlight=<id>`. Nil if links to the other item cannot
    /// name it.
    package var name: String?
    /// The collection of the other item, and the column with its id.
    package var collection: String
    package var column: String

    package init(_ name: String? = nil, in collection: String, by column: String) {
      (self.name, self.collection, self.column) = (name, collection, column)
    }
  }

  /// The column of a title. The table also has the column `formerTitles`, which is part of no record: the store
  /// records in it the titles that the item had when links led to it (`FormerTitles`).
  package struct Title: Sendable {
    package var column: String
    /// Extracts the title from a value of the column.
    package var read: @Sendable (String) -> String
    /// Whether every title that an item gives up still finds it, even if no link led there by it.
    package var keepsFormer: Bool

    package init(
      _ column: String, keepsFormer: Bool = false, read: @escaping @Sendable (String) -> String = { $0 }
    ) {
      self.column = column
      self.keepsFormer = keepsFormer
      self.read = read
    }
  }

  /// The same, but every title that an item gives up still finds it: files elsewhere refer to the item by it.
  package var keepingFormerTitles: Self {
    var linking = self
    linking.title?.keepsFormer = true
    return linking
  }

  /// A column with user-written texts. Its name is that of its field on the wire.
  package struct Texts: Sendable {
    package var column: String
    /// Extracts the texts from a value of the column.
    package var read: @Sendable (String) throws -> [String]

    package init(_ column: String, read: @escaping @Sendable (String) throws -> [String] = { [$0] }) {
      self.column = column
      self.read = read
    }
  }
}

/// An item as it is shown beside a link.
package struct LinkedItem: Sendable {
  /// Empty if the item has none; for a mark, the title of its document.
  package var title: String
  package var link: String
  package var page: Int?
  package var pageCount: Int?
  /// Whether it is a task that has been finished: of several items with one title, users mean the open one.
  package var isFinished: Bool
  /// The day that it is about.
  package var day: CalendarDay?
  /// Who wrote it, if its text does not say so.
  package var author: String?

  package init(title: String, link: String, page: Int? = nil, pageCount: Int? = nil, isFinished: Bool = false) {
    self.title = title
    self.link = link
    self.page = page
    self.pageCount = pageCount
    self.isFinished = isFinished
  }

  /// An item that is identified by its collection and id alone.
  package init(title: String, of collection: String, id: String, isFinished: Bool = false) {
    self.init(title: title, link: StableLink(collection: collection, item: id).text, isFinished: isFinished)
  }
}
