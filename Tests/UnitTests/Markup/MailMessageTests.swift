import Contract
import Foundation
import Markup
import Testing

@Suite("Mail messages") struct MailMessageTests {
  private static func message(_ text: String) throws -> MailMessage? {
    try MailMessage(Array(text.replacing("\n", with: "\r\n").utf8))
  }

  @Test("the header is read with its folded lines, and a mailbox's first line is no part of it")
  func header() throws {
    let message = try #require(
      try MailMessage(
        Array(
          """
          From ann@example.org Sat Nov 28 03:00:00 2026
          Received: by somebody
          From: "Ann, A." <ann@example.org>
          To: bob@example.org,
          \tcarl@example.org
          Subject: A long
            subject
          Date: Sat, 28 Nov 2026 12:00:00 +0900 (KST)
          Message-ID: <1.2@example.org>

          Text.

          """.utf8)))
    #expect(message.from == "\"Ann, A.\" <ann@example.org>" && message.to == "bob@example.org, carl@example.org")
    #expect(message.subject == "A long subject" && message.id == "1.2@example.org")
    #expect(message.date?.description == "2026-11-28T03:00:00.000Z")
    #expect(message.text == "Text." && message.files.isEmpty)
  }

  @Test("encoded words are decoded, also a character that is cut in two, and what is none stays")
  func words() throws {
    for (written, text) in [
      ("=?utf-8?B?7KCQ7Ius?= =?UTF-8?Q?_=EB=A9=94=EB=89=B4?=", "점심 메뉴"),
      ("=?utf-8?B?7KCQ7A==?=\n =?utf-8?B?i6w=?=", "점심"), ("=?euc-kr?B?waG9yQ==?=", "점심"),
      ("Re: =?iso-8859-1?q?Caf=E9?= today", "Re: Café today"), ("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
      ("1 =? 2 ?=", "1 =? 2 ?="), ("=?utf-8?X?abc?=", "=?utf-8?X?abc?="), ("점심", "점심"),
      ("=?nonsense?Q?abc?=", "abc"),
    ] {
      #expect(try Self.message("Subject: \(written)\n\n")?.subject == text, "\(written)")
    }
  }

  @Test("of alternatives the plain text is read, else the text of the HTML; parts of a mixed message follow each other")
  func alternatives() throws {
    func mixed(_ plain: String) -> String {
      """
      Subject: S
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary="a b"

      This is no part.
      --a b
      Content-Type: multipart/alternative; boundary=inner

      --inner
      Content-Type: text/plain; charset=utf-8; format=flowed
      Content-Transfer-Encoding: quoted-printable

      \(plain)
      --inner
      Content-Type: text/html; charset=utf-8

      <p>From <b>HTML</b><script>x()</script></p>
      --inner--
      --a b
      Content-Type: text/plain
      Content-Transfer-Encoding: base64

      U2lnbmVk
      --a b--
      This is none either.
      """
    }
    #expect(try Self.message(mixed("Caf=C3=A9 =\ntoday =3D a=b"))?.text == "Café today = a=b\n\nSigned")
    #expect(try Self.message(mixed(" "))?.text.hasSuffix("Signed") == true)
    #expect(try Self.message(mixed(" "))?.text.contains("From HTML") == true)
    let html = try Self.message("Subject: S\nContent-Type: text/html\n\n<p>One<p>Two &amp; three")
    #expect(html?.text.contains("Two & three") == true)
  }

  @Test("attachments have their bytes and the last part of their names, in whatever form the name is written")
  func attachments() throws {
    let message = try #require(
      try Self.message(
        """
        From: ann@example.org
        Content-Type: multipart/mixed; boundary=b

        --b

        See the menu.
        --b
        Content-Type: application/pdf; name="=?utf-8?B?66mU64m0LnBkZg==?="
        Content-Transfer-Encoding: base64
        Content-Disposition: attachment

        JVBE
        Rg==
        --b
        Content-Type: image/png
        Content-Disposition: inline; filename*0*=utf-8''%EB%A9%94;
          filename*1*=%EB%89%B4; filename*2=".png"

        bytes
        --b
        Content-Type: text/plain
        Content-Disposition: attachment; filename="..\\\\..\\\\etc/pass\\"wd"

        root
        --b
        Content-Type: message/rfc822

        Subject: Inner

        Text
        --b--
        """))
    #expect(message.text == "See the menu.")
    #expect(message.files.map(\.name) == ["메뉴.pdf", "메뉴.png", "pass\"wd", "message.eml"])
    #expect(message.files[0].bytes == Array("%PDF".utf8) && message.files[1].bytes == Array("bytes".utf8))
    #expect(message.files[3].bytes == Array("Subject: Inner\r\n\r\nText".utf8))
  }

  @Test("bytes without the fields of a message are none")
  func noMessage() throws {
    for text in ["", "%PDF-1.7\n1 0 obj", "Hello: there\n\nSubject: no", "\n\nFrom: x"] {
      #expect(try MailMessage(Array(text.utf8)) == nil)
    }
  }

  @Test("nested and endless parts end, and what is cut is read as far as it goes")
  func bounds() throws {
    var deep = "Subject: S\n"
    for level in 0..<200 { deep += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n" }
    #expect(try Self.message(deep + "\nText")?.files.count == 1, "the rest is a file")
    let many = String(repeating: "--b\n\nx\n", count: 5_000)
    let message = try Self.message("Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n" + many)
    #expect(message?.text.split(separator: "\n\n").count == MailMessage.mostParts - 1)
    #expect(try Self.message("Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nCut")?.text == "Cut")
    #expect(try Self.message("Subject: S\nContent-Type: multipart/mixed\n\nNo boundary")?.files.count == 1)
    #expect(throws: CancellationError.self) {
      try MailMessage(Array("Subject: S\n\nx".utf8)) { throw CancellationError() }
    }
  }
}
