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

  @Test(
    "a feed is read from the attributes that programs write, and an address that is none is refused",
    arguments: [
      ("xmlUrl='feed://a.example/f'", "http://a.example/f"),
      ("xmlUrl='FEED:https://a.example/f'", "https://a.example/f"),
      ("xmlUrl='a.example:8080/f'", "https://a.example:8080/f"), ("xmlUrl='a.example'", "https://a.example"),
      ("url='https://a.example/'", "https://a.example/"), ("type='LINK' url='https://a.example/'", nil),
      ("title='T' text='X' xmlUrl='https://a.example/'", "https://a.example/ T"),
      ("text='X' xmlUrl='https://a.example/'", "https://a.example/ X"),
      ("title=' ' text='X' xmlUrl='https://a.example/'", "https://a.example/ X"),
      ("htmlUrl='/x' description='d' type='atom' xmlUrl='https://a.example/'", "https://a.example/ atom d"),
      ("htmlUrl='https://b.example/' xmlUrl='https://a.example/'", "https://a.example/ https://b.example/"),
      ("xmlUrl='https://u:p@a.example/f'", "https://u:p@a.example/f"),
      ("xmlUrl='mailto:a@b.example'", "refused mailto:a@b.example"), ("xmlUrl='no address'", "refused no address"),
      ("text='a folder'", nil), ("type='RSS' text='no URL'", "refused "),
    ] as [(String, String?)])
  func attributes(text: String, expected: String?) throws {
    let document = try read("<OPML><Body><OUTLINE \(text)/></Body></OPML>")
    let feeds = document.feeds.map { feed in
      [feed.url, feed.title, feed.site, feed.type, feed.note].compactMap(\.self).joined(separator: " ")
    }
    #expect(feeds + document.refused.map { "refused \($0.url)" } == [expected].compactMap(\.self))
  }

  @Test("outlines without a body are read, and a refused one is known by the feeds before it")
  func places() throws {
    let document = try read(
      "<opml><outline xmlUrl='http://a.example/'/><outline text='x' xmlUrl='x:y'/><outline xmlUrl='http://b.example/'/></opml>"
    )
    #expect(document.feeds.map(\.url) == ["http://a.example/", "http://b.example/"] && document.isComplete)
    #expect(document.refused.map(\.before) == [1] && document.refused.map(\.title) == ["x"])
  }

  @Test("our own attributes come back, also where their namespace was lost, and a file without them names none")
  func extensions() throws {
    let feeds = [
      OutlineDocument.Feed(
        url: "https://a.example/", title: "a", type: "rss", extensions: ["keepDays": "30", "quiet": "true"]),
      .init(url: "https://b.example/", title: "b", type: "rss", extensions: ["keepPosts": "5", "every": "60"]),
    ]
    let text = String(decoding: OPML.write(OutlineDocument(feeds: feeds)), as: UTF8.self)
    let space = " xmlns:commonplace=\"urn:commonplace:subscriptions\""
    #expect(text.contains(space) && text.contains(" commonplace:keepDays=\"30\" commonplace:quiet=\"true\""))
    #expect(try read(text).feeds == feeds && read(text.replacing(space, with: "")).feeds == feeds)
    #expect(try read(text.replacing(":quiet=", with: ":other=")).feeds[0].extensions == ["keepDays": "30"])
    let plain = OutlineDocument(feeds: [.init(url: "https://a.example/", title: "a", type: "rss")])
    #expect(!String(decoding: OPML.write(plain), as: UTF8.self).contains("xmlns"))
  }

  @Test("a folder is written where its first feed is, with all of its feeds, and without what XML cannot say")
  func folders() throws {
    func feed(_ name: String, _ folders: String...) -> OutlineDocument.Feed {
      .init(url: "https://\(name).example/", title: name, folders: folders, type: "rss")
    }
    let feeds = [feed("a"), feed("b", "x"), feed("c"), feed("d", "x", "y"), feed("e", "x")]
    let back = try OPML.read(OPML.write(OutlineDocument(title: "a\u{1}b\u{FFFE}c", feeds: feeds)))
    #expect(back.feeds == [feeds[0], feeds[1], feeds[3], feeds[4], feeds[2]] && back.title == "abc")
  }

  @Test("attributes of other programs are written again in their namespaces, and none that may contain a secret")
  func others() throws {
    let text = """
      <opml version="2.0" xmlns:frss="https://freshrss.org/opml" xmlns:o="urn:other"><body>
      <outline type="rss" text="A" xmlUrl="https://a.example/" language="ko" frss:priority="feed"
        o:note="x &amp; &quot;y&quot;" frss:CURLOPT_COOKIE="session=1" o:password="hunter2" home="https://ann:hunter2@a.example/" xml:lang="ko"/>
      <outline type="rss" text="B" xmlUrl="https://b.example/" frss:cssFullContent="article p" bad:loose="1"/>
      </body></opml>
      """
    let document = try read(text)
    #expect(
      document.feeds[0].others == [
        .init(name: "language", value: "ko"),
        .init(name: "priority", space: "https://freshrss.org/opml", value: "feed"),
        .init(name: "note", space: "urn:other", value: "x & \"y\""),
        .init(name: "lang", space: "http://www.w3.org/XML/1998/namespace", value: "ko"),
      ])
    #expect(document.feeds[1].others == [.init(name: "loose", space: "bad", value: "1")])
    let written = String(decoding: OPML.write(document), as: UTF8.self)
    for piece in ["frss:priority=\"feed\"", "xml:lang=\"ko\"", "frss:cssFullContent=\"article p\"", "language=\"ko\""] {
      #expect(written.contains(piece), "\(piece) in \(written)")
    }
    #expect(!written.contains("hunter2") && !written.contains("session=1"))
    #expect(try read(written).feeds == document.feeds)
  }

  @Test("the categories of an outline in no folder are its folders, and one in a folder stays there")
  func categories() throws {
    let document = try read(
      """
      <opml><body><outline text="A" xmlUrl="https://a.example/" category="/Home/Garden,news, /Home/Garden,//"/>
      <outline text="F"><outline text="B" xmlUrl="https://b.example/" category="/Elsewhere"/></outline></body></opml>
      """)
    #expect(document.feeds[0].folders == ["Home", "Garden"] && document.feeds[0].otherFolders == [["news"]])
    #expect(document.feeds[0].others.isEmpty)
    #expect(document.feeds[1].folders == ["F"] && document.feeds[1].otherFolders.isEmpty)
    #expect(document.feeds[1].others == [.init(name: "category", value: "/Elsewhere")])
  }
}
