import Wire

extension ItemCollection {
  /// What links have to do with the items of a collection. From this row alone come the tables of links and titles.
  package struct Linking: Sendable {
    /// Where the title stands by which `[[title]]` finds an item; nil where no item is found so.
    package var title: Title?
    /// Where the texts stand that may have links.
    package var texts: [Texts]
    /// Where an item is a place in another; nil where it is none.
    package var place: Place?
    /// The item as whoever finds a link in it, or one that leads to it, is shown it; nil where it is gone.
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

    /// A place in another item. It may come to stand in another one than a link says, so the row tells in which it is.
    package struct Place: Sendable {
      /// How a link names it, without the sign: `highlight` for `#highlight=<id>`.
      package var name: String
      /// The collection of the other item, and the column that has its id.
      package var collection: String
      package var column: String

      package init(_ name: String, in collection: String, by column: String) {
        (self.name, self.collection, self.column) = (name, collection, column)
      }
    }

    /// The column of a title. Beside it the table has the column `formerTitles`, which no record names: the store keeps
    /// in it what the item was called when links led to it (`FormerTitles`).
    package struct Title: Sendable {
      package var column: String
      /// The title in a value of the column.
      package var read: @Sendable (String) -> String

      package init(_ column: String, read: @escaping @Sendable (String) -> String = { $0 }) {
        self.column = column
        self.read = read
      }
    }

    /// A column with texts that a reader wrote. It is named as its field is on the wire.
    package struct Texts: Sendable {
      package var column: String
      /// The texts in a value of the column.
      package var read: @Sendable (String) throws -> [String]

      package init(_ column: String, read: @escaping @Sendable (String) throws -> [String] = { [$0] }) {
        self.column = column
        self.read = read
      }
    }
  }
}

/// An item as it is shown beside a link.
package struct LinkedItem: Sendable {
  /// Empty where it has none; of a mark its document's.
  package var title: String
  package var link: String
  package var page: Int?
  package var pageCount: Int?

  package init(title: String, link: String, page: Int? = nil, pageCount: Int? = nil) {
    self.title = title
    self.link = link
    self.page = page
    self.pageCount = pageCount
  }

  /// An item that is found by its collection and id alone.
  package init(title: String, of collection: String, id: String) {
    self.init(title: title, link: StableLink(collection: collection, item: id).text)
  }
}
