import Client
import TestSupport
import Testing
import Wire

/// Whatever is typed or sent is answered: with what it finds, or with the place where it cannot be read.
@Suite("Search: bad questions") struct BadQuestionTests {
  @Test("what another language would take for its own is looked for as text, and what nothing has is not found")
  func text() async throws {
    let bench = try await QueryBench()
    try await bench.write("NEAR the river\nsaid: it's a+b, {c d}:e; DROP TABLE.", id: "entry")
    for (text, count) in [
      ("near(", 1), ("NEAR(river)", 0), ("-river", 1), ("^river", 1), ("{c d}:e", 1), ("a+b", 1), ("'; drop table", 1),
      ("(a+)+$", 1), ("(?:a*)*b", 1), ("river*", 1), ("river\u{1}\u{1B}", 1), ("\u{2}river", 1), ("said:", 1),
      ("\u{3}\u{4}diary", 0), ("river -- \"\"", 1), ("ri\u{202E}ver", 0), ("\u{FEFF}river", 1), ("%", -1), ("*", -1),
      ("\"\"\"", -1), ("(((", -1), ("OR OR", -1), ("NOT", -1), ("\u{1}\u{7}", 0), (" \n\u{3000}", 0),
    ] {
      for method in ["search/query", "search/suggest"] {
        var params: JSONObject = ["text": .string(text)]
        if method == "search/suggest" { params["scope"] = "library" }
        let failure = try await bench.client.failure(method, .object(params))
        #expect(failure == nil || failure?.code == -32602, "\(method) \(text): \(String(describing: failure))")
        guard method == "search/query" else { continue }
        #expect((failure == nil) == (count >= 0), "\(text)")
        if failure == nil, text != "ri\u{202E}ver", text != "\u{FEFF}river" {
          #expect(try await bench.ask(text)["total"] == .integer(Int64(count)), "\(text)")
        }
      }
    }
    await bench.stop()
  }

  @Test("a hundred kilobytes, a thousand words and half of a surrogate pair are refused, and the daemon goes on")
  func refused() async throws {
    let bench = try await QueryBench()
    try await bench.write("river", id: "entry")
    let long = String(repeating: "한강 ", count: 15_000)
    for (text, method) in [
      (long, "search/query"), (long, "search/suggest"), (long, "search/save"),
      (String(repeating: "a ", count: 1_000), "search/query"), (String(repeating: "a ", count: 1_000), "search/save"),
      (String(repeating: "(", count: 5_000) + "a" + String(repeating: ")", count: 4_999), "search/query"),
      (String(repeating: "NOT ", count: 2_400), "search/query"),
    ] {
      var params: JSONObject = ["text": .string(text)]
      if method == "search/suggest" { params["scope"] = "library" }
      let failure = try await bench.client.failure(method, .object(params))
      #expect(failure?.code == -32602 && failure?.data?["field"] == "text", "\(method) \(text.prefix(9))")
    }
    let socket = try RawSocket(connectingTo: bench.daemon.socket)
    socket.write(#"{"jsonrpc":"2.0","id":1,"method":"search/query","params":{"text":"a\ud800b"}}"# + "\n")
    socket.endInput()
    let reply = try JSONParser.parse(try await socket.readToEnd())
    #expect(reply["error"]?["code"] == -32602 && reply["error"]?["data"]?["field"] == "text")
    #expect(try await bench.found("river") == ["entry"])
    await bench.stop()
  }
}
