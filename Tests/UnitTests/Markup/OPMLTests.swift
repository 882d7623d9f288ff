import Foundation
import Markup
import Testing

@Suite("outlines") struct OPMLTests {
  private func read(_ text: String) throws -> OutlineDocument { try OPML.read(Data(text.utf8)) }

  @Test("folders in folders, attributes of every case, and outlines that are no feeds")
  func reading() throws {
    let document = try read(
      """
      <?xml version="1.0"?><opml version="1.0"><head><title>My &amp; feeds</title></head><body>
      <outline text="a" type="rss" xmlUrl="http://a.example/rss?x=1&y=2" htmlUrl="http://a.example/" description="d"/>
      <outline text="한글"><outline title="inner" text="x"><outline text="b" XMLURL="https://b.example/"/></outline>
        <outline text="c" xmlurl="https://c.example/"/></outline>
      <outline text="bad" xmlUrl="file:///etc/passwd"/><outline text="a link" type="link" url="https://l.example/"/>
      <outline xmlUrl="https://d.example/"/></body></opml>
      """)
    #expect(document.title == "My & feeds")
    #expect(
      document.feeds == [
        .init(
          url: "http://a.example/rss?x=1&y=2", title: "a", site: "http://a.example/", folders: [], type: "rss",
          note: "d"),
        .init(url: "https://b.example/", title: "b", folders: ["한글", "inner"]),
        .init(url: "https://c.example/", title: "c", folders: ["한글"]),
        .init(url: "https://d.example/"),
      ])
    #expect(document.refused.map(\.url) == ["file:///etc/passwd"])
    #expect(document.isComplete)
  }

  @Test("a file that was cut off gives what it has, and says so; what is no outline is refused")
  func broken() throws {
    let cut = try read("<opml><body><outline text='A & B'><outline text=a xmlUrl='http://a.example/'><outline xmlUr")
    #expect(cut.feeds == [.init(url: "http://a.example/", title: "a", folders: ["A & B"])])
    #expect(!cut.isComplete)
    #expect(throws: OutlineFailure.notAnOutline) { try read("<rss/>") }
    #expect(throws: OutlineFailure.notAnOutline) { try read("hello") }
  }

  @Test("what is written comes back whole")
  func roundTrip() throws {
    var document = OutlineDocument(
      title: "T <&> \"x\"",
      feeds: [
        .init(
          url: "https://a.example/?a=1&b=2", title: "a \"q\" <b> 'c'", site: "https://a.example/", folders: ["x", "y"]),
        .init(url: "https://b.example/", folders: []),
        .init(url: "https://c.example/", title: "c", folders: ["x"], type: "atom", note: "n & m"),
        .init(url: "https://d.example/", title: "d", folders: ["y"]),
      ])
    for index in document.feeds.indices where document.feeds[index].type == nil { document.feeds[index].type = "rss" }
    let back = try OPML.read(OPML.write(document))
    #expect(back.title == document.title)
    // A feed without a title is written under its address.
    document.feeds[1].title = "https://b.example/"
    #expect(Set(back.feeds.map(\.url)) == Set(document.feeds.map(\.url)))
    for feed in document.feeds { #expect(back.feeds.contains(feed), "\(feed)") }
    #expect(try OPML.read(OPML.write(back)) == back)
  }
}
