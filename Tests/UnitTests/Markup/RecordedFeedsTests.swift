import Foundation
import Markup
import Testing

/// Over real feeds that lie beside the repository, where they do.
@Suite("recorded feeds") struct RecordedFeedsTests {
  private static let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/recorded/feeds")
    .standardized

  static var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// How many entries, and what they are in; nil for no feed.
  private static let expected: [String: (count: Int?, charset: String?)] = [
    "ampersand-feed.xml": (20, "UTF-8"), "atom03.xml": (2, "UTF-8"), "duplicate-content-atom.xml": (10, "UTF-8"),
    "empty-document.xml": (nil, nil), "euc-kr-undeclared.xml": (1, "UHC"), "euc-kr.xml": (0, "UHC"),
    "href-considered-harmful.xml": (10, "UTF-8"), "html-instead-of-feed.html": (nil, nil),
    "incomplete-cdata.xml": (0, "UTF-8"), "invalid-dates.xml": (2, "UTF-8"), "iso-8859-1-real.xml": (40, "CP1252"),
    "iso-8859-1-undeclared.xml": (10, "CP1252"), "items-without-titles.xml": (5, "UTF-8"),
    "json-feed-large.json": (20, "UTF-8"), "rdf-utf8.xml": (60, "UTF-8"), "sam-ruby-atom.xml": (20, "UTF-8"),
    "utf-16le-bom.xml": (0, "UTF-16LE"), "youtube-atom.xml": (15, "UTF-8"),
  ]

  @Test("every recorded feed is read as what it is, and its bodies become safe", arguments: files)
  func recorded(file: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: file))
    let document = try? FeedParser.parse(data, contentType: nil, url: "http://127.0.0.1/feeds/\(file)")
    if let expected = Self.expected[file] {
      #expect(document?.entries.count == expected.count)
      if let charset = expected.charset { #expect(TextDecoding(data).charset == charset) }
    }
    for entry in document?.entries ?? [] {
      #expect(!entry.id.isEmpty)
      let body = try SafeHTML.clean(entry.html ?? "", base: entry.base)
      #expect(!body.html.contains(" style=") && !body.html.contains("<script") && !body.html.contains(" src="))
    }
  }
}
