import Display
import HTTP
import Testing
import Wire

@Suite("Failures of the network")
struct NetworkFailureTests {
  private static let failures: [(HTTPFailure, ErrorKind?)] = [
    (.invalidURL(reason: "urlScheme"), .invalidURL), (.invalidHeader(name: "Api-Key"), .badResponse),
    (.refusedAddress(origin: "https://a.example", address: "10.0.0.1"), .refusedAddress),
    (.refusedAddress(origin: "http://10.0.0.1", address: "10.0.0.1"), .refusedAddress),
    (.unreachable(origin: "https://a.example", reason: "answerShort"), .unreachable),
    (.brokenOff(origin: "https://a.example", received: 3), .unreachable),
    (.untrusted(origin: "https://a.example", reason: "expired"), .unreachable),
    (.timedOut(origin: "https://a.example"), .timedOut),
    (.httpStatus(code: 503, url: "https://a.example/"), .httpStatus),
    (.httpStatus(code: 404, url: "https://a.example/"), .httpStatus),
    (.rateLimited(origin: "https://a.example", retryAfter: .milliseconds(1500)), .rateLimited),
    (.closed(origin: "https://a.example", reason: "serviceOverloaded", retryAfter: .seconds(2)), .rateLimited),
    (.resting(origin: "https://a.example", retryAfter: .seconds(2)), .unreachable),
    (.unauthorized(origin: "https://a.example"), .unauthorized),
    (.refused(origin: "https://a.example", reason: "serviceOverloaded"), .unauthorized),
    (.tooLarge(limit: 8 << 20), .tooLarge),
    (.badResponse(reason: "answerBomb"), .badResponse), (.tooManyRedirects, .badResponse),
    (.refusedContent(reason: "answerUnexpected"), .badResponse), (.diskFull, .diskFull),
    (.fileError(errno: 5), .ioError), (.fileError(errno: 13), .readOnly), (.busy, .busy), (.offline, .unreachable),
    (.unavailable(reason: "noMemory"), .unreachable),
  ]

  @Test("each has its kind and a whole sentence in every language")
  func sentences() {
    let catalogue = Catalogue()
    for (failure, kind) in Self.failures {
      let error = RPCError(failure)
      #expect(error.kind == kind, "\(failure)")
      for language in Language.allCases {
        let sentence = catalogue.string(for: error.text, language: language)
        #expect(!sentence.isEmpty && !sentence.contains("{") && sentence != error.text.key, "\(failure): \(sentence)")
        let advice = catalogue.string(
          for: Text(error.text.key + ".advice", error.text.arguments), language: language)
        #expect(!advice.contains("{"), "\(failure): \(advice)")
      }
    }
  }

  @Test("a service that has a name is named, and not the origin at which it was asked")
  func named() {
    let catalogue = Catalogue()
    for (failure, kind) in Self.failures {
      let error = RPCError(failure, named: "Google Books")
      #expect(error.kind == kind, "\(failure)")
      for language in Language.allCases {
        let sentence = catalogue.string(for: error.text, language: language)
        // What became of an address is told with the address.
        if case .httpStatus = failure { continue }
        #expect(!sentence.contains("example") && !sentence.contains("{"), "\(failure): \(sentence)")
      }
    }
    let silent = RPCError(HTTPFailure.timedOut(origin: "https://a.example"), named: "Google Books")
    #expect(catalogue.string(for: silent.text, language: .english) == "Google Books did not answer in time.")
  }

  @Test("an address in figures is not said to lead to itself")
  func figures() {
    let error = RPCError(HTTPFailure.refusedAddress(origin: "http://10.0.0.1", address: "10.0.0.1"))
    let sentence = Catalogue().string(for: error.text, language: .english)
    #expect(sentence.hasPrefix("A redirect leads to the private address 10.0.0.1,"), "\(sentence)")
  }

  @Test("a refused redirect to another port names the port, and its advice the whole origin")
  func refusedPort() {
    let catalogue = Catalogue()
    for (origin, address, shown, service) in [
      ("http://127.0.0.1:8081", "127.0.0.1", "127.0.0.1:8081", nil), ("http://[::1]:8081", "::1", "[::1]:8081", nil),
      ("http://a.example:8081", "10.0.0.1", "10.0.0.1:8081", nil),
      ("http://127.0.0.1:8081", "127.0.0.1", "127.0.0.1:8081", "Google Books"),
    ] as [(String, String, String, String?)] {
      let error = RPCError(HTTPFailure.refusedAddress(origin: origin, address: address), named: service)
      for language in Language.allCases {
        let sentence = catalogue.string(for: error.text, language: language)
        #expect(sentence.contains(shown) && !sentence.contains("{"), "\(sentence)")
        #expect(catalogue.advice(on: error.text, language: language)?.contains(origin) == true)
      }
    }
  }

  @Test("nobody is told to ask again in 0 seconds: what is left is told, and when nothing is, to ask now")
  func overNow() {
    let catalogue = Catalogue()
    func advice(_ text: Text) -> String? { catalogue.advice(on: text, language: .english) }
    let origin = "https://a.example"
    for (whole, over) in [
      (
        HTTPFailure.rateLimited(origin: origin, retryAfter: .seconds(9)),
        .rateLimited(origin: origin, retryAfter: .zero)
      ),
      (
        .closed(origin: origin, reason: "serviceOverloaded", retryAfter: .seconds(9)),
        .closed(origin: origin, reason: "serviceOverloaded", retryAfter: .zero)
      ),
      (.resting(origin: origin, retryAfter: .seconds(9)), .resting(origin: origin, retryAfter: .zero)),
    ] as [(HTTPFailure, HTTPFailure)] {
      #expect(advice(RPCError(whole).text) == "Try again in 9 seconds.")
      #expect(advice(RPCError(whole).text.askingAgain(in: 1)) == "Try again in 1 second.")
      #expect(advice(RPCError(whole).text.askingAgain(in: 0)) == "Try again now.")
      #expect(advice(RPCError(over).text) == "Try again now.")
      for text in [RPCError(over).text, RPCError(whole).text.askingAgain(in: -3)] {
        for language in Language.allCases {
          #expect(!catalogue.string(for: text, language: language).contains("{"))
        }
      }
    }
  }

  @Test("what passes by itself says after how many whole seconds")
  func retryAfter() {
    let times = Self.failures.compactMap { RPCError($0.0).data["retryAfter"] }
    #expect(times == [2, 2, 2])
    #expect(RPCError(HTTPFailure.httpStatus(code: 503, url: "")).data["status"] == 503)
  }
}
