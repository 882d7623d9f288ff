import Foundation
import Testing

@testable import HTTP

@Suite("pauses, dates and freshness")
struct RetryRuleTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)  // 1994-11-06 08:49:37

  @Test("the bound of a pause doubles from half a second to half a minute, and chance takes any part of it")
  func pauses() {
    #expect((1...8).map { RetryRule.pause(after: $0, random: 1) } == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    #expect(RetryRule.pause(after: 1, random: 0) == .zero)
    #expect(RetryRule.pause(after: 2, random: 0.25) == .milliseconds(500))
    #expect(RetryRule.pause(after: .max, random: 1) == .seconds(30))
  }

  @Test(
    "a date of a header is read in its three forms",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func dates(_ text: String) {
    #expect(HTTPDate(text)?.date == now)
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "0", "-1", "tomorrow", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "a b c d e f",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
  func noDates(_ text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test("leap days and the years around 2000 are counted")
  func calendar() {
    #expect(HTTPDate("Thu, 01 Jan 1970 00:00:00 GMT")?.date == Date(timeIntervalSince1970: 0))
    #expect(HTTPDate("Tue, 29 Feb 2000 12:00:00 GMT")?.date == Date(timeIntervalSince1970: 951_825_600))
    #expect(HTTPDate("Sat, 21 Nov 2026 00:00:00 GMT")?.date == Date(timeIntervalSince1970: 1_795_219_200))
  }

  @Test("Retry-After is seconds or a date by the service's own clock, and is taken for 15 minutes at the most")
  func retryAfter() {
    #expect(RetryRule.wait(["Retry-After": "7"], now: now) == .seconds(7))
    #expect(RetryRule.wait(["Retry-After": "0"], now: now) == .zero)
    #expect(RetryRule.wait(["Retry-After": "99999999999999999999999"], now: now) == .seconds(900))
    #expect(RetryRule.wait(["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], now: now) == .seconds(30))
    #expect(RetryRule.wait(["Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"], now: now) == .zero)
    let skewed: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 10:00:00 GMT", "Retry-After": "Sun, 06 Nov 1994 10:00:20 GMT",
    ]
    #expect(RetryRule.wait(skewed, now: now) == .seconds(20))
    // Without a clock a date counts beside the service's own.
    #expect(RetryRule.wait(skewed, now: nil) == .seconds(20))
    #expect(RetryRule.wait(["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], now: nil) == nil)
    #expect(RetryRule.wait(["Retry-After": "soon"], now: now) == nil)
    #expect(RetryRule.wait(["Retry-After": "-5"], now: now) == nil)
    #expect(RetryRule.wait([:], now: now) == nil)
  }

  @Test("freshness is max-age less age, else Expires, and nothing where nothing is said")
  func freshness() {
    func fresh(_ headers: HTTPHeaders) -> Duration? { Freshness.duration(headers, now: now) }
    #expect(fresh([:]) == nil)
    #expect(fresh(["Cache-Control": "private, max-age=86400"]) == .seconds(86_400))
    #expect(fresh(["Cache-Control": "Max-Age=100", "Age": "40"]) == .seconds(60))
    #expect(fresh(["Cache-Control": "max-age=100", "Age": "400"]) == .zero)
    #expect(fresh(["Cache-Control": "max-age=x"]) == .zero)
    #expect(fresh(["Cache-Control": "max-age=60, no-cache"]) == .zero)
    #expect(fresh(["Cache-Control": "public", "Cache-Control ": "x"]) == nil)
    #expect(fresh(["Expires": "Sun, 06 Nov 1994 09:49:37 GMT"]) == .seconds(3600))
    #expect(
      fresh(["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:49:07 GMT"]) == .seconds(30))
    #expect(fresh(["Expires": "0"]) == .zero)
    #expect(fresh(["Cache-Control": "max-age=99999999999999"]) == .seconds(365 * 86_400))
  }
}
