import Foundation
import Testing
import Wire

@testable import HTTP

@Suite("addresses and URLs")
struct AddressTests {
  @Test(
    "an address of this machine or its networks is private in each of its forms",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "127.1",
      "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "017700000001", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "198.19.255.255", "224.0.0.1", "240.0.0.1",
      "255.255.255.255", "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::127.0.0.1", "64:ff9b::10.1.2.3",
      "64:ff9b:1::5db8:d822", "2002:7f00:1::", "2002:c0a8:101::1", "::127.0.0.1", "::ffff:0:127.0.0.1",
    ])
  func privateAddress(_ text: String) throws {
    #expect(try #require(IPAddress(literal: text)).isPrivate)
  }

  @Test(
    "an address of the internet is not private, nor are the neighbours of private blocks",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
      "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
      "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "fbff::1", "fe7f::1", "::ffff:1.1.1.1",
      "64:ff9b::1.1.1.1", "2002:101:101::1",
    ])
  func publicAddress(_ text: String) throws {
    #expect(try !#require(IPAddress(literal: text)).isPrivate)
  }

  @Test(
    "what only looks like an address is a name",
    arguments: ["", "example.org", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 x", "0x7g.1", "fe80::1%eth0", "127.0.0.1.", "a1"])
  func noLiteral(_ text: String) {
    #expect(IPAddress(literal: text) == nil)
  }

  @Test("every way to write an address literal in a URL is the same origin")
  func originOfLiterals() throws {
    let origin = try #require(Origin("http://127.0.0.1"))
    for text in [
      "http://127.1/x", "HTTP://0x7f.1", "http://2130706433:80/", "http://0177.0.0.1", " http://127.0.0.1?q",
    ] {
      #expect(Origin(text) == origin, "\(text)")
    }
    #expect(Origin("http://[::FFFF:127.0.0.1]:80") == origin)
    #expect(Origin("http://[FE80:0::1]:81")?.description == "http://[fe80::1]:81")
    #expect(Origin("https://Example.ORG:443/a")?.description == "https://example.org")
    #expect(Origin("https://example.org:8443/a")?.port == 8443)
    #expect(Origin("http://example.org") != Origin("https://example.org"))
    #expect(Origin("http://한국.com/")?.host == "xn--3e0b707e.com")
  }

  @Test(
    "a URL that two parsers could read differently, or that is no http URL, is refused",
    arguments: [
      "", "example.org", "//example.org", "ftp://example.org/", "file:///etc/passwd", "http:example.org", "http:///x",
      "http://user@example.org/", "http://a:b@127.0.0.1/", "http://example.org:0/", "http://example.org:65536/",
      "http://example.org:8x/", "http://example.org%2f/", "http://exa mple.org/", "http://[::1/", "http://[::1]x/",
      "http://[fe80::1%25eth0]/", "http://[127.0.0.1]/", "http://a\u{0}b/", "http://example.org/a\r\nb: c",
      "http://allowed.example\\@evil.example:x/",
    ])
  func invalidURL(_ text: String) {
    do {
      let url = try WebURL(text)
      Issue.record("accepted as \(url.text)")
    } catch {
      if case .invalidURL = error { return }
      Issue.record("\(error)")
    }
  }

  @Test("a URL is sent in ASCII, what is encoded stays so, and a fragment is left out")
  func normalForm() throws {
    #expect(try WebURL("http://example.org").text == "http://example.org/")
    #expect(try WebURL("http://example.org?q=1#f").text == "http://example.org/?q=1")
    #expect(
      try WebURL("http://example.org/a%20b c/책|\"?x=<>#a").text
        == "http://example.org/a%20b%20c/%EC%B1%85%7C%22?x=%3C%3E")
    #expect(try WebURL("http://example.org/\\evil").text == "http://example.org/%5Cevil")
  }

  @Test("a URL is shown without its user part, its fragment and its secrets")
  func masked() {
    let shown = WebURL.masked(
      "https://me:pw@example.org/a?q=1&key=K&api_key=K&apiKey=K&access_token=T&sig=S&X-Amz-Signature=S&password=P&monkey=1"
        + "&%74oken=T&keyword=2#t=secret")
    #expect(
      shown == "https://example.org/a?q=1&key=***&api_key=***&apiKey=***&access_token=***&sig=***&X-Amz-Signature=***"
        + "&password=***&monkey=1&%74oken=***&keyword=2")
    #expect(WebURL.masked("no url at all") == "no url at all")
    #expect(WebURL.masked("x://a@b@c/@d") == "x://c/@d")
  }
}

@Suite("the address policy")
struct AddressPolicyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let address: String
    let reaching: String
    let requested: String
    var allowed: [String] = []
    let decision: AddressPolicy.Decision
    var testDescription: String { "\(reaching) at \(address), asked for \(requested), allowed \(allowed)" }
  }

  @Test(
    "only what the user wrote or allowed reaches a private address",
    arguments: [
      // The internet is open.
      Row(address: "1.1.1.1", reaching: "http://a.example", requested: "http://a.example", decision: .permitted),
      Row(address: "1.1.1.1", reaching: "http://b.example", requested: "http://a.example", decision: .permitted),
      // A public name at a private address is refused, the first hop too.
      Row(address: "127.0.0.1", reaching: "http://a.example", requested: "http://a.example", decision: .refused),
      Row(address: "::ffff:10.0.0.1", reaching: "http://a.example", requested: "http://a.example", decision: .refused),
      Row(address: "64:ff9b::7f00:1", reaching: "http://a.example", requested: "http://a.example", decision: .refused),
      // A private literal in the request's own URL is meant, however it is written.
      Row(address: "127.0.0.1", reaching: "http://127.0.0.1", requested: "http://127.0.0.1", decision: .permitted),
      Row(address: "127.0.0.1", reaching: "http://0x7f.1", requested: "http://0x7f.1", decision: .permitted),
      Row(address: "127.0.0.1", reaching: "http://2130706433", requested: "http://2130706433", decision: .permitted),
      Row(address: "127.0.0.1", reaching: "http://0177.0.0.1", requested: "http://0177.0.0.1", decision: .permitted),
      Row(
        address: "192.168.1.2", reaching: "http://192.168.1.2", requested: "http://192.168.1.2", decision: .permitted),
      Row(address: "::1", reaching: "http://[::1]", requested: "http://[::1]", decision: .permitted),
      // But only that very address.
      Row(address: "10.0.0.1", reaching: "http://127.0.0.1", requested: "http://127.0.0.1", decision: .refused),
      // localhost is this machine and nothing else.
      Row(address: "127.0.0.1", reaching: "http://localhost", requested: "http://localhost", decision: .permitted),
      Row(address: "::1", reaching: "http://LOCALHOST", requested: "http://localhost", decision: .permitted),
      Row(address: "192.168.1.2", reaching: "http://localhost", requested: "http://localhost", decision: .refused),
      Row(
        address: "127.0.0.1", reaching: "http://localhost.example", requested: "http://localhost.example",
        decision: .refused),
      // A redirect within the written origin keeps the exception, to any other place it is refused.
      Row(address: "127.0.0.1", reaching: "http://127.0.0.1:81", requested: "http://127.0.0.1", decision: .refused),
      Row(address: "127.0.0.1", reaching: "https://127.0.0.1", requested: "http://127.0.0.1", decision: .refused),
      Row(address: "127.0.0.1", reaching: "http://localhost", requested: "http://127.0.0.1", decision: .refused),
      Row(address: "127.0.0.1", reaching: "http://127.0.0.1", requested: "http://a.example", decision: .refused),
      Row(
        address: "169.254.169.254", reaching: "http://169.254.169.254", requested: "http://a.example",
        decision: .refused
      ),
      // Allowed origins may be anywhere, as names and as targets of redirects; other ports of theirs may not.
      Row(
        address: "10.0.0.1", reaching: "http://intranet", requested: "http://intranet", allowed: ["http://intranet"],
        decision: .permitted),
      Row(
        address: "127.0.0.1", reaching: "http://127.0.0.1:81", requested: "http://a.example",
        allowed: ["http://127.0.0.1:81"], decision: .permitted),
      Row(
        address: "127.0.0.1", reaching: "http://127.0.0.1:82", requested: "http://a.example",
        allowed: ["http://127.0.0.1:81"], decision: .refused),
      Row(
        address: "10.0.0.1", reaching: "https://intranet", requested: "https://intranet", allowed: ["http://intranet"],
        decision: .refused),
    ])
  func decision(_ row: Row) throws {
    let requested: Origin = try #require(Origin(row.requested))
    let decision = AddressPolicy.decision(
      for: try #require(IPAddress(literal: row.address)), reaching: try #require(Origin(row.reaching)),
      requested: requested, allowed: Set(row.allowed.compactMap { Origin($0) }))
    #expect(decision == row.decision)
  }

  @Test("percent signs are decoded as Foundation does: not without two digits, nor where no text comes out")
  func decoding() {
    for text in ["", "a", "%41", "a%20b%2Fc", "%ed%95%9c", "%", "%4", "%4g", "%g4", "%ff", "100%25", "+", "가%41"] {
      #expect(PercentEncoding.decoded(text) == text.removingPercentEncoding, "\(text)")
    }
    #expect(PercentEncoding.decoded("a+b%2B", isForm: true) == "a b+")
  }
}
