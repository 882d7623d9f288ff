/// The endpoints of the book catalogues: `[books]` of config.toml.
package struct BooksConfiguration: Sendable, Hashable {
  package struct Google: Sendable, Hashable {
    /// Without a trailing slash, like all base URLs here.
    package var url: String
    /// The name of a credential, which may be undefined.
    package var credential: String?

    package init(url: String = "https://www.googleapis.com/books/v1", credential: String? = nil) {
      self.url = url
      self.credential = credential
    }
  }

  package struct OpenLibrary: Sendable, Hashable {
    package var url = "https://openlibrary.org"
    package var covers = "https://covers.openlibrary.org"
  }

  package struct Aladin: Sendable, Hashable {
    package var url = "https://www.aladin.co.kr/ttb/api"
    /// The name of a credential; without one it is not requested.
    package var credential: String?
  }

  package struct NDL: Sendable, Hashable {
    package var url = "https://ndlsearch.ndl.go.jp/api"
    /// Whether it is requested by those who name no catalogue.
    package var isUsual = false
  }

  package var google = Google()
  package var aladin = Aladin()
  package var openLibrary = OpenLibrary()
  package var ndl = NDL()

  /// The default endpoints.
  package init() {}
}
