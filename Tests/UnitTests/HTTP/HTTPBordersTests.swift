import Foundation
import TestSupport
import Testing
import Wire

@testable import HTTP

/// The pure rules of the client, on both sides of each border.
@Suite("Borders of the HTTP client's rules") struct HTTPBordersTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)  // 1994-11-06 08:49:37

  @Test("by itself the client counts by the clock of the machine, which goes on")
  func clock() {
    let configuration = HTTPConfiguration()
    let before = ContinuousClock.now
    let now = configuration.now()
    #expect(now >= before && now <= .now)
  }

  @Test("every byte but letters, digits and four signs is escaped")
  func percent() {
    let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    for byte in UInt8.min...127 {
      let digits = String(byte, radix: 16, uppercase: true)
      let expected = kept.contains(byte) ? "\(Unicode.Scalar(byte))" : "%" + (digits.count == 1 ? "0" : "") + digits
      #expect(PercentEncoding.encoded("\(Unicode.Scalar(byte))") == expected)
    }
    #expect(PercentEncoding.encoded("é/한") == "%C3%A9%2F%ED%95%9C")
  }

  @Test("a URL has at most 8,192 bytes, a port 1 to 65,535, and a host at most 253 bytes")
  func lengths() throws {
    let start = "http://a.example/"
    #expect(try WebURL(start + String(repeating: "x", count: 8_192 - start.utf8.count)).text.utf8.count == 8_192)
    #expect(throws: HTTPFailure.invalidURL(reason: "urlTooLong")) {
      try WebURL(start + String(repeating: "x", count: 8_193 - start.utf8.count))
    }
    for port in [1, 65_535] { #expect(try WebURL("http://a.example:\(port)/").origin.port == port) }
    for port in ["0", "65536", "+1", "-1", "1.0"] {
      #expect(throws: HTTPFailure.invalidURL(reason: "urlPort")) { try WebURL("http://a.example:\(port)/") }
    }
    #expect(try WebURL("http://a.example:/").origin.port == 80)
    #expect(try WebURL("https://a.example:/").origin.port == 443)
    let host = String(repeating: "a", count: 250) + ".bc"
    #expect(try WebURL("http://\(host)/").origin.host == host)
    #expect(throws: HTTPFailure.invalidURL(reason: "hostMissing")) { try WebURL("http://\(host)d/") }
    #expect(throws: HTTPFailure.invalidURL(reason: "hostMissing")) { try WebURL("http://:80/") }
    for (text, reason) in [
      ("http://[::1/", "hostIncomplete"), ("http://[::1]x/", "hostInvalid"), ("http://[1.2.3.4]/", "hostNotIPv6"),
      ("http://me@a.example/", "urlUser"), ("ftp://a.example/", "urlScheme"), ("http://a\tb/", "urlControlCharacter"),
      ("http://a\u{7F}b/", "urlControlCharacter"), ("http://a*b/", "hostInvalid"),
    ] {
      #expect(throws: HTTPFailure.invalidURL(reason: reason), "\(text)") { try WebURL(text) }
    }
  }

  @Test(
    "a date of a header is one of its calendar and its clock, or none",
    arguments: [
      ("Sun, 01 Nov 1994 00:00:00 GMT", 783_648_000), ("Sun, 31 Dec 1994 23:59:59 GMT", 788_918_399),
      ("Sun, 31 Dec 1994 23:59:60 GMT", 788_918_400), ("Sun, 06-Nov-69 08:49:37 GMT", 3_150_953_377),
      ("Sun, 06-Nov-70 08:49:37 GMT", 26_729_377), ("Thu, 01 Mar 1900 00:00:00 GMT", nil),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Wed, 31 Dec 1969 23:59:59 GMT", nil),
      ("Sat, 01 Jan 10000 00:00:00 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:60:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:61 GMT", nil),
      ("Mon, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sun Nov 6 08:49:37", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT more", nil),
    ] as [(String, Int?)])
  func dates(text: String, seconds: Int?) {
    #expect(HTTPDate(text)?.date == seconds.map { Date(timeIntervalSince1970: Double($0)) })
  }

  @Test("every month is counted from its place in the year")
  func months() {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    for (name, day) in zip(names, days) {
      let expected = Date(timeIntervalSince1970: Double(1_609_459_200 + day * 86_400))
      #expect(HTTPDate("Fri, 01 \(name) 2021 00:00:00 GMT")?.date == expected)
      #expect(HTTPDate("Fri \(name.uppercased())  1 00:00:00 2021")?.date == expected)
    }
  }

  @Test(
    "freshness and waits end at their borders",
    arguments: [
      (["Cache-Control": "no-store"], .zero), (["Cache-Control": "no-cache=\"x\", max-age=5"], .zero),
      (["Cache-Control": "max-age=\"5\""], .seconds(5)), (["Cache-Control": "max-age=0"], .zero),
      (["Cache-Control": "max-age=5", "Age": "5"], .zero), (["Cache-Control": "max-age=5", "Age": "4"], .seconds(1)),
      (["Cache-Control": "max-age=5", "Age": "-4"], .seconds(5)), (["Cache-Control": "max-age="], .zero),
      (["Cache-Control": "max-age=31536000"], .seconds(31_536_000)),
      (["Cache-Control": "max-age=31536001"], .seconds(31_536_000)),
      (["Expires": "Sun, 06 Nov 1994 08:49:36 GMT"], .zero),
      (["Expires": "Sun, 06 Nov 1994 08:49:38 GMT"], .seconds(1)),
      (["Expires": "Sun, 06 Nov 2094 08:49:38 GMT"], .seconds(31_536_000)),
      (["Expires": "Sun, 06 Nov 1994 08:49:38 GMT", "Cache-Control": "max-age=7"], .seconds(7)),
    ] as [(HTTPHeaders, Duration)])
  func freshness(headers: HTTPHeaders, expected: Duration) {
    #expect(Freshness.duration(headers, now: now) == expected)
  }

  @Test("without a clock and without the service's date an Expires says nothing for the future")
  func noClock() {
    #expect(Freshness.duration(["Expires": "Sun, 06 Nov 2094 08:49:38 GMT"], now: nil) == .zero)
    #expect(RetryRule.wait(["Retry-After": "900"], now: now) == .seconds(900))
    #expect(RetryRule.wait(["Retry-After": "901"], now: now) == .seconds(900))
    #expect(RetryRule.wait(["Retry-After": "901"], now: now, longest: .seconds(1_000)) == .seconds(901))
    #expect(RetryRule.hold(after: 1, random: 0) == .seconds(1))
    #expect(RetryRule.hold(after: 1, random: 1) == .seconds(2))
  }

  @Test(
    "a range that says where its bytes belong is read, and no other",
    arguments: [
      ("bytes 10-19/100", 10, 19, 100), ("bytes 10-19/*", 10, 19, nil), ("bytes */100", nil, nil, 100),
      ("bytes 0-0/1", 0, 0, 1), ("BYTES 1-2/3", 1, 2, 3),
    ] as [(String, Int?, Int?, Int?)])
  func ranges(text: String, first: Int?, last: Int?, total: Int?) throws {
    let range = try #require(ContentRange(text))
    #expect(range.first == first && range.last == last && range.total == total)
  }

  @Test(
    "what is no range is none",
    arguments: [
      nil, "", "bytes", "bytes 1-2", "items 1-2/3", "bytes 2-1/3", "bytes 1-3/3", "bytes 1-/3", "bytes -2/3",
      "bytes 1-2/x",
      "bytes 1-2/3/4", "bytes 1-2-3/4", "bytes 1-2/3 more", "bytes a-b/3", "bytes 1-2/-3",
    ])
  func noRanges(text: String?) {
    #expect(ContentRange(text) == nil)
  }

  private func head(_ lines: [String]) throws(HTTPFailure) -> ResponseHead? {
    var parser = HeadParser()
    for line in lines {
      let bytes = Array(line.utf8)
      let step: HeadParser.Step
      do {
        step = try bytes.withUnsafeBytes { try parser.take($0) }
      } catch let failure as HTTPFailure {
        throw failure
      } catch {
        return nil
      }
      if case .head(let head) = step { return head }
    }
    return nil
  }

  @Test("of a head the last status and its fields count, without what came before and what is no field")
  func heads() throws {
    let found = try #require(
      try head([
        "HTTP/1.1 103 Early\r\n", "Link: x\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: 1 \t\r\n", "b:2\r\n", ": none\r\n",
        "none\r\n", "C:\t x: y\r\n", "\r\n",
      ]))
    #expect(found.status == 200 && found.headers["Link"] == nil)
    #expect(found.headers["a"] == "1" && found.headers["B"] == "2" && found.headers["c"] == "x: y")
    #expect(found.headers.fields.count == 3)
    #expect(try head(["HTTP/2 599\r\n", "\r\n"])?.status == 599)
    #expect(try head(["HTTP/1.1 199 x\r\n", "\r\n"]) == nil)
    for line in ["HTTP/1.1\r\n", "HTTP/1.1 99 x\r\n", "HTTP/1.1 600 x\r\n", "HTTP/1.1 OK\r\n"] {
      #expect(throws: HTTPFailure.badResponse(reason: "statusLine"), "\(line)") { try head([line]) }
    }
  }

  @Test("the lines of a head have at most 256 KiB together")
  func longHeads() throws {
    let start = "HTTP/1.1 200 OK\r\n"
    func lines(_ count: Int) -> [String] {
      [start, "A: " + String(repeating: "x", count: count - start.utf8.count - 7) + "\r\n", "\r\n"]
    }
    #expect(try head(lines(256 << 10))?.status == 200)
    #expect(throws: HTTPFailure.badResponse(reason: "headersTooLong")) { try head(lines(256 << 10 + 1)) }
  }

  @Test(
    "a secret is taken out of what a service says in every form, unless it is so short that it would stand anywhere")
  func scrubbing() {
    let secret = Secret("a/b c+")
    let text = "1 a/b c+ 2 a\\/b c+ 3 a%2Fb%20c%2B 4 a%2fb%20c%2b 5"
    #expect(
      String(decoding: SecretPlace.scrubbed(Data(text.utf8), of: secret), as: UTF8.self)
        == "1 {credential} 2 {credential} 3 %7Bcredential%7D 4 %7Bcredential%7D 5")
    #expect(
      SecretPlace.scrubbed("http://x/a%2fb%20c%2b?a/b c+", of: secret) == "http://x/%7Bcredential%7D?%7Bcredential%7D")
    for (value, isFound) in [("12345", false), ("123456", true)] {
      let data = Data("x\(value)\(value)x".utf8)
      #expect((SecretPlace.scrubbed(data, of: Secret(value)) != data) == isFound)
      #expect((SecretPlace.scrubbed("x\(value)x", of: Secret(value)) != "x\(value)x") == isFound)
    }
    #expect(SecretPlace.isIn("x{credential}") && SecretPlace.isIn("x%7Bcredential%7D") && !SecretPlace.isIn("x"))
    #expect(SecretPlace.shown("a%7Bcredential%7Db") == "a{credential}b")
    #expect(
      "\(secret) \(String(reflecting: secret))" == "*** ***"
        && !String(describing: Mirror(reflecting: secret).children).contains("a/b"))
  }

  @Test("what a part file was left with is the user's alone, whole, and no link is followed")
  func parts() throws {
    let folder = TemporaryFolder()
    let path = folder.file("part")
    var part = try PartFile(path)
    #expect(part.size == 0)
    let bytes = [UInt8](1...100)
    bytes.withUnsafeBytes { buffer in
      do { try part.append(buffer) } catch { Issue.record("\(error)") }
    }
    #expect(part.size == 100)
    #expect(try part.head(10) == Data(bytes.prefix(10)) && part.head(1_000) == Data(bytes))
    #expect(throws: HTTPFailure.partInUse) { _ = try PartFile(path) }
    part.release()
    var again = try PartFile(path)
    #expect(again.size == 100)
    bytes.withUnsafeBytes { buffer in
      do { try again.append(buffer) } catch { Issue.record("\(error)") }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes + bytes))
    try Data("{}".utf8).write(to: URL(filePath: path + ".json"))
    try again.empty()
    #expect(again.size == 0 && !FileManager.default.fileExists(atPath: path + ".json"))
    bytes.withUnsafeBytes { buffer in
      do { try again.append(buffer) } catch { Issue.record("\(error)") }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let lock = again.handOver()
    #expect(throws: HTTPFailure.partInUse) { _ = try PartFile(path) }
    lock.giveUp()
    lock.giveUp()
    _ = try PartFile(path)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
    #expect(throws: HTTPFailure.fileError(errno: ELOOP)) { _ = try PartFile(folder.file("link")) }
    #expect(throws: HTTPFailure.self) { _ = try PartFile(folder.path) }
    PartFile.remove(path)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a header that would break the request's lines is refused by its name")
  func headers() throws {
    for name in ["A", "x-y_z!#$%&'*+.^`|~1"] { try ([name: "v"] as HTTPHeaders).validate() }
    for name in ["", " ", "a b", "a:", "é", "a\u{7F}", "\u{1}"] + "\"(),/:;<=>?@[\\]{}".map(String.init) {
      #expect(throws: HTTPFailure.invalidHeader(name: name)) { try ([name: "v"] as HTTPHeaders).validate() }
    }
    for value in ["", "a\tb", "é", " ", "~"] { try (["A": value] as HTTPHeaders).validate() }
    for value in ["a\r\nb", "a\nb", "a\rb", "\0", "a\u{7F}", "\u{1F}"] {
      #expect(throws: HTTPFailure.invalidHeader(name: "A")) { try (["B": "x", "A": value] as HTTPHeaders).validate() }
    }
    for code in [ENOSPC, EDQUOT, EFBIG] { #expect(HTTPFailure.file(code) == .diskFull) }
    #expect(HTTPFailure.file(EIO) == .fileError(errno: EIO))
    let both: HTTPHeaders = ["A": "1", "b": "2", "a": "3"]
    #expect(both["a"] == "1" && both.all("A") == ["1", "3"] && both["c"] == nil)
    #expect(
      both == ["a": "1", "B": "2", "A": "3"] && both != ["A": "1", "b": "2"] && both != ["A": "1", "b": "3", "a": "3"])
  }
}
