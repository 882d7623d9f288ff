import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import Books
@testable import Diary
@testable import Projects
@testable import System

/// Of every import, what went in equals what is reported out.
@Suite("The counts of every import") struct ImportCountTests {
  /// A file, and how many items are in it, be they good, bad or there twice.
  private struct Sample: Sendable, CustomTestStringConvertible {
    var method: String
    var format: String
    var items: Int
    var file: String
    var testDescription: String { "\(method) \(format)" }
  }

  private static func calendar(_ components: [String]) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + components.map { $0.replacing("\n", with: "\r\n") + "\r\n" }.joined()
      + "END:VCALENDAR\r\n"
  }

  private static let samples: [Sample] = [
    Sample(
      method: "projects/import", format: "ics", items: 7,
      file: calendar([
        "BEGIN:VEVENT\nUID:e\nSUMMARY:A party\nEND:VEVENT", "BEGIN:VTODO\nUID:1\nSUMMARY:One\nEND:VTODO",
        "BEGIN:VJOURNAL\nUID:j\nSUMMARY:A day\nEND:VJOURNAL", "BEGIN:VTODO\nUID:1\nSUMMARY:One again\nEND:VTODO",
        "BEGIN:VTODO\nUID:2\nEND:VTODO", "BEGIN:VTODO\nUID:3\nDESCRIPTION:Words alone\nEND:VTODO",
        "BEGIN:VTODO\nUID:4\nSUMMARY:Bad day\nDUE:20260230\nPRIORITY:12\nEND:VTODO",
      ])),
    Sample(
      method: "projects/import", format: "taskwarrior", items: 7,
      file: #"""
        [{"description":"a","status":"pending","uuid":"1","due":"20260230T000000Z"},
        {"description":"  ","status":"pending","uuid":"2"}, {"description":"Gone","status":"deleted","uuid":"3"},
        {"description":"Weekly","status":"recurring","uuid":"4","recur":"weekly"},
        {"description":"twice","status":"pending","uuid":"1"}, {"description":"w","status":"waiting","uuid":"6"}, 7]
        """#),
    Sample(
      method: "projects/import", format: "todotxt", items: 5,
      file: "(A) Call Mom due:2026-11-05\n\nx 2026-11-02 Done\ndue:2026-13-45 Odd\n(A) \nCall Mom\n"),
    Sample(
      method: "projects/import", format: "markdown", items: 4,
      file: "# List\n\n- [ ] Outer\n  - [x] Inner\n\nWords.\n\n- [ ] \n- [ ] Outer 📅 2026-02-30\n"),
    Sample(
      method: "projects/import", format: "jsonl", items: 4,
      file: """
        {"id": "a", "title": "One", "state": "todo"}
        {"id": "a", "title": "Twice", "state": "todo"}
        {"id": "b", "title": "", "state": "todo"}
        {"id": "c", "title": "Bad", "state": "todo", "deadline": "2026-02-30"}
        """ + "\n"),
    Sample(
      method: "projects/import", format: "todoist", items: 5,
      file: """
        TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
        meta,view_style=list,,,,,,,,
        task,One,,4,1,,,no day,en,
        note,A comment,,,,,,,,
        task,Under it,,4,2,,,every day,en,
        task,Twice,,4,1,,,,,
        task,Twice,,4,1,,,,,
        other,Of another kind,,,,,,,,
        """),
    Sample(
      method: "diary/import", format: "sample", items: 6,
      file: #"""
        [{"title": "a", "body": "b", "created_at": 1608651333}, {"title": "a", "body": "b", "created_at": 1608651333},
         {"title": "c"}, {"created_at": 5}, {"title": "d", "created_at": "x"}, 7]
        """#),
    Sample(
      method: "diary/import", format: "jrnl", items: 4,
      file:
        "[2026-11-01 09:00] One.\nWords.\n\n[2026-11-02 09:00] Two. *\n\n[2026-11-02 09:00] Two. *\n\n[2026-13-45 09:00] Bad.\n"
    ),
    Sample(
      method: "diary/import", format: "dayone", items: 4,
      file: #"""
        {"entries": [{"uuid": "A", "creationDate": "2020-12-22T15:35:33Z", "text": "One"},
        {"uuid": "A", "creationDate": "2020-12-22T15:35:33Z", "text": "One"},
        {"uuid": "B", "creationDate": "2020-12-23T15:35:33Z", "text": "Two"},
        {"uuid": "C", "creationDate": "2020-13-45T15:35:33Z", "text": "Bad day"}]}
        """#),
    Sample(
      method: "diary/import", format: "markdown", items: 1,
      file: "---\nday: 2026-11-01\n---\nOne\n\nWords.\n"),
    Sample(
      method: "diary/import", format: "jsonl", items: 3,
      file: """
        {"id": "a", "text": "One", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}
        {"id": "a", "text": "Other", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}
        {"id": "b", "text": "", "day": "2026-11-01"}
        """ + "\n"),
    Sample(
      method: "books/import", format: "csv", items: 8,
      file: """
        title,authors,isbn,rating
        "Berserk, Vol. 1",Kentaro Miura,,4
        "Berserk, Vol. 2",Kentaro Miura,,4
        "Berserk, Vol. 2",Kentaro Miura,,4
        "Berserk, Vol. 2",Kentaro Miura,,5
        ,Ann,,
        Human Acts,,,
        Human Acts,Han Kang,123,9
        Human Acts,Han Kang,9781101906729,

        """),
    Sample(
      method: "books/import", format: "goodreads", items: 5,
      file: """
        Book Id,Title,Author,ISBN,My Rating,Date Read,Exclusive Shelf,My Review,Private Notes
        1,Sabriel,Garth Nix,,5,2020/01/02,read,,
        1,Sabriel,Garth Nix,,5,2020/01/02,read,,
        2,Human Acts,Han Kang,,9,2020/13/45,someday,,
        3,,Ann,,,,read,,
        4,Sabriel,Somebody Else,,,,to-read,,

        """),
    Sample(
      method: "books/import", format: "storygraph", items: 4,
      file: """
        Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating,Review,Tags
        Human Acts,Han Kang,9781101906729,read,2022/03/01-2022/03/04,4.5,Good,korea
        Human Acts,Han Kang,9781101906729,read,2022/03/01-2022/03/04,4.5,Good,korea
        Sabriel,Garth Nix,uid-17,someday,,9,,
        ,Ann,,read,,,,

        """),
    Sample(
      method: "books/import", format: "jsonl", items: 3,
      file: """
        {"id": "a", "title": "One", "shelf": {"status": "read"}}
        {"id": "a", "title": "Another", "shelf": {"status": "read"}}
        {"id": "b", "title": ""}
        """ + "\n"),
    Sample(
      method: "books/import", format: "bibtex", items: 3,
      file: """
        @book{a, title = {One}, author = {Lee, Ann}, year = 2001}
        @book{b, title = {Human Acts}, author = {Han, Kang}, isbn = {9781101906729}}
        @book{c, author = {Ann}}
        """ + "\n"),
    Sample(
      method: "books/import", format: "ris", items: 3,
      file: """
        TY  - BOOK
        TI  - One
        AU  - Lee, Ann
        ER  -
        TY  - BOOK
        TI  - Human Acts
        AU  - Han, Kang
        ER  -
        TY  - BOOK
        AU  - Ann
        ER  -
        """ + "\n"),
    Sample(
      method: "books/import", format: "csl", items: 3,
      file: """
        [{"id": "a", "type": "book", "title": "One", "author": [{"family": "Lee", "given": "Ann"}]},
        {"id": "b", "type": "book", "title": "Human Acts", "author": [{"family": "Han", "given": "Kang"}]},
        {"id": "c", "type": "book", "author": [{"literal": "Ann"}]}]
        """),
    Sample(
      method: "books/import", format: "kindle", items: 3,
      file: """
        One (Lee, Ann)
        - Your Highlight on page 12 | location 170-173 | Added on Monday, April 5, 2021 9:12:13 AM

        A passage.
        ==========
        Human Acts (Han Kang)
        - Your Note on page 3 | location 30 | Added on Monday, April 5, 2021 9:12:13 AM

        A note.
        ==========
        One (Lee, Ann)
        - Your Bookmark on page 14 | location 190 | Added on Monday, April 5, 2021 9:12:13 AM


        ==========
        Only a bookmark
        - Your Bookmark on page 14 | location 190 | Added on Monday, April 5, 2021 9:12:13 AM


        ==========

        """),
    Sample(
      method: "books/import", format: "koreader", items: 1,
      file: """
        -- we can read Lua syntax here!
        return {
            ["doc_props"] = { ["title"] = "One", ["authors"] = "Ann Lee" },
            ["annotations"] = { [1] = { ["text"] = "A passage.", ["drawer"] = "lighten" } },
            ["partial_md5_checksum"] = "0123",
        }

        """),
    Sample(
      method: "boards/import", format: "opml", items: 6,
      file: """
        <opml version="2.0"><body><outline text="F">
        <outline type="rss" text="One" xmlUrl="https://one.example/feed"/>
        <outline type="rss" text="Twice" xmlUrl="https://one.example/feed"/>
        <outline type="rss" text="Bad" xmlUrl="mailto:x@y"/>
        <outline type="rss" text="Bare" xmlUrl="www.two.example/feed"/></outline>
        <outline type="rss" text="Feed" xmlUrl="feed://three.example/feed"/>
        <outline type="rss" text="Secret" xmlUrl="https://user:pw@four.example/feed"/></body></opml>
        """),
    Sample(
      method: "boards/import", format: "newsboat", items: 5,
      file: """
        # One
        https://one.example/feed "~One" News
        https://one.example/feed
        query:Unread:unread = \"yes\"

        https://two.example/feed
        https://user:pw@four.example/feed
        """),
    Sample(
      method: "boards/import", format: "starred", items: 5,
      file: """
        {"entries": [{"title": "One", "url": "https://one.example/a", "content": "Soup"}, {"title": "None"},
          {"title": "One again", "url": "https://one.example/a#top"}, {"url": "https://user:pw@four.example/b"},
          {"title": "Plain", "url": "https://two.example/c", "starred": false}]}
        """),
  ]

  @Test("every format of every import has a sample here")
  func samplesOfAll() {
    let formats: [(method: String, names: [String])] = [
      ("projects/import", TaskImportFormat.allCases.map(\.rawValue)),
      ("diary/import", ImportFormat.allCases.map(\.rawValue)),
      // The databases of a Kobo and of calibre are no texts; their own tests count what they have.
      ("books/import", BookFormat.allCases.filter { $0 != .kobo && $0 != .calibre }.map(\.rawValue)),
      ("boards/import", SubscriptionImportFormat.allCases.map(\.rawValue)),
    ]
    for (method, names) in formats {
      #expect(Set(Self.samples.filter { $0.method == method }.map(\.format)) == Set(names), "\(method)")
    }
    #expect(Set(Self.samples.map(\.method)) == Set(formats.map(\.method)))
  }

  private func take(_ file: String, _ sample: Sample, with client: Client) async throws -> JSONValue {
    let data = JSONValue.string(Data(file.utf8).base64EncodedString())
    return try await client.call(sample.method, ["data": data, "format": .string(sample.format)])
  }

  private func sum(_ report: JSONValue) -> Int64 {
    ["added", "updated", "known", "undecided", "skipped"].compactMap { report[$0]?.integerValue }.reduce(0, +)
  }

  @Test("what went in equals what is reported out, the first time, again, and changed", arguments: samples)
  private func counts(sample: Sample) async throws {
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let changed = sample.file.replacing("One", with: "The first").replacing("Human Acts", with: "Human Deeds")
    for file in [sample.file, sample.file, changed, sample.file] {
      let report = try await take(file, sample, with: client)
      #expect(sum(report) == Int64(sample.items), "\(report)")
      let told = report["notes"].list.count { $0["skipped"] == true }
      #expect(report["skipped"] == json(told), "each that was left out is named: \(report)")
      // A confirmation is wanted of none of these, so nothing was only counted.
      #expect(report["confirm"] == nil)
    }
    await daemon.stop()
  }
}
