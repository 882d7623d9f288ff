import Testing
import Wire

@Suite("Messages")
struct MessageTests {
  private func read(_ text: String) -> Frame { Frame(reading: Array(text.utf8)) }

  @Test("a request, a notification and the two kinds of answers are told apart")
  func sorting() {
    #expect(
      read(#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}"#)
        == .single(.request(id: .string("a"), method: "m", params: ["x": 1])))
    #expect(
      read(#"{"jsonrpc":"2.0","method":"m"}"#) == .single(.notification(method: "m", params: .null)))
    #expect(
      read(#"{"jsonrpc":"2.0","id":1,"result":null}"#)
        == .single(.response(id: .integer(1), result: .null, error: nil)))
    #expect(
      read(#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#)
        == .single(.response(id: nil, result: nil, error: ["code": 1])))
  }

  @Test(
    "JSON that is no message is invalid under its id, or under none",
    arguments: [
      ("1", "notAnObject", nil), ("{}", "version", nil), (#"{"jsonrpc":"1.0","id":4}"#, "version", 4),
      (#"{"jsonrpc":"2.0","id":4}"#, "noMethod", 4), (#"{"jsonrpc":"2.0","id":4,"method":1}"#, "method", 4),
      (#"{"jsonrpc":"2.0","id":4,"method":"m","params":1}"#, "params", 4),
      (#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, "id", nil),
      (#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, "id", nil),
      (#"{"jsonrpc":"2.0","id":"\ud800","method":"m"}"#, "id", nil), ("[]", "emptyBatch", nil),
    ] as [(String, String, Int64?)])
  func invalid(text: String, reason: String, id: Int64?) {
    #expect(read(text) == .single(.invalid(id: id.map(RequestID.integer), .invalidRequest(reason))))
  }

  @Test("a batch keeps its members in order, each sorted alone")
  func batch() {
    #expect(
      read(#"[1,{"jsonrpc":"2.0","method":"m"}]"#)
        == .batch([.invalid(id: nil, .invalidRequest("notAnObject")), .notification(method: "m", params: .null)]))
  }

  @Test("1,024 members are a batch and 1,025 are refused as a whole")
  func batchLimit() {
    func batch(_ count: Int) -> Frame { read("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]") }
    guard case .batch(let members) = batch(1024) else { return #expect(Bool(false), "1,024 members are allowed.") }
    #expect(members.count == 1024)
    #expect(batch(1025) == .single(.invalid(id: nil, .invalidRequest("batchTooLarge", ["limit": "1024"]))))
  }

  @Test("what is not JSON says where")
  func unreadable() {
    guard case .unreadable(let error) = read("{\"a\":") else { return #expect(Bool(false), "It is no JSON.") }
    #expect(error.code == -32700)
    #expect(error.data["offset"] == 5)
  }

  @Test("a request with a number that is too large is refused under its id, with the number's place")
  func tooLargeNumber() {
    func refusal(_ field: String) -> RPCError {
      .invalidParams(field: field, reason: Text("param.numberTooLarge"))
    }
    let call = #"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":[1,{"b":-1e400}],"c":1e999}}"#
    #expect(read(call) == .single(.invalid(id: .integer(7), refusal("a[1].b"))))
    #expect(
      read(#"[{"jsonrpc":"2.0","id":1,"method":"m"},\#(call)]"#)
        == .batch([.request(id: .integer(1), method: "m", params: .null), .invalid(id: .integer(7), refusal("a[1].b"))])
    )
    // Nobody waits for an answer, or nobody knows to what, or it is no JSON anyway.
    for text in [
      #"{"jsonrpc":"2.0","method":"m","params":{"a":1e400}}"#, #"{"jsonrpc":"2.0","id":1e400,"method":"m"}"#, "[1e400",
    ] {
      guard case .unreadable(let error) = read(text) else { return #expect(Bool(false), "\(text)") }
      #expect(error.text.key == "error.parse.numberTooLarge")
    }
  }

  @Test("ids are the same only if no client could tell them apart")
  func ids() throws {
    #expect(RequestID(1.0) == RequestID(1))
    #expect(RequestID("1") != RequestID(1))
    let composed = try #require(RequestID("\u{e9}"))
    let decomposed = try #require(RequestID("e\u{301}"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(RequestID(.null) == nil)
    #expect(RequestID("a\u{0}") == nil)
  }

  @Test(
    "a reply repeats the digits of its request's id, alone, in a batch, and where it is refused",
    arguments: [
      "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "1.5", "1.50", "1.0", "1e2",
      "-0",
      "-0.0", "0", "-7", "9223372036854775807", "1e-400",
    ])
  func writtenIDs(text: String) throws {
    let call = #"{"jsonrpc":"2.0","id":\#(text),"method":"m","params":{"id":3}}"#
    func echo(_ message: Message) -> String? {
      switch message {
      case .request(let id, _, _):
        String(decoding: MessageBytes.result(id: id, Array("{}".utf8)), as: UTF8.self)
      case .invalid(let id, _):
        String(decoding: MessageBytes.error(id: id, code: 1, message: "", data: [:]), as: UTF8.self)
      default: nil
      }
    }
    let wanted = #"{"jsonrpc":"2.0","id":\#(text),"result":{}}"#
    for single in [call, #"{"i\u0064":1,"more":[{}],"id":\#(text),"jsonrpc":"2.0","method":"m"}"#] {
      guard case .single(let message) = read(single) else { return #expect(Bool(false), "\(single)") }
      #expect(echo(message) == wanted, "\(single)")
    }
    guard case .batch(let members) = read(#" [ 1 , {}, {"id":"\#(text)"} , \#(call), {"id":0} ] "#) else {
      return #expect(Bool(false), "It is a batch.")
    }
    #expect(members.count == 5 && echo(members[3]) == wanted)
    let refused = #"{"jsonrpc":"2.0","id":\#(text),"error":{"code":1,"message":""}}"#
    for wrong in [
      #"{"jsonrpc":"2.0","id":\#(text),"method":7}"#,
      #"{"jsonrpc":"2.0","id":\#(text),"method":"m","params":{"a":1e400}}"#,
    ] {
      guard case .single(let message) = read(wrong) else { return #expect(Bool(false), "\(wrong)") }
      #expect(echo(message) == refused, "\(wrong)")
    }
  }

  @Test("a number is one id however it is written, so that a cancel finds it and none is in use twice")
  func writtenAnotherWay() throws {
    func id(_ text: String) throws -> RequestID {
      guard case .single(.request(let id, _, _)) = read(#"{"jsonrpc":"2.0","id":\#(text),"method":"m"}"#) else {
        throw RPCError.invalidRequest("id")
      }
      return id
    }
    for (left, right) in [("1", "1.0"), ("0", "-0"), ("1.5", "15e-1"), ("1e2", "100")] {
      #expect(try id(left) == id(right) && Set([id(left), id(right)]).count == 1, "\(left) \(right)")
    }
    #expect(try id("18446744073709551616") == RequestID(.number(18_446_744_073_709_551_616)))
    #expect(try id("1") != id("1.5") && id("1") != id("2.0"))
  }

  @Test("every message that is written is read back as itself")
  func bytes() {
    func read(_ bytes: [UInt8]) -> Frame { Frame(reading: bytes) }
    #expect(
      read(MessageBytes.request(id: .string("한\"\n"), method: "a/b", params: ["k": [1, 2]]))
        == .single(.request(id: .string("한\"\n"), method: "a/b", params: ["k": [1, 2]])))
    #expect(
      read(MessageBytes.notification(method: "n", rawParams: Array("{\"x\":1}".utf8)))
        == .single(.notification(method: "n", params: ["x": 1])))
    #expect(
      read(MessageBytes.batch([MessageBytes.result(id: .integer(1), Array("{}".utf8))]))
        == .batch([.response(id: .integer(1), result: [:], error: nil)]))
    #expect(
      read(MessageBytes.error(id: nil, code: 5, message: "m", data: ["k": 1]))
        == .single(.response(id: nil, result: nil, error: ["code": 5, "message": "m", "data": ["k": 1]])))
  }

  @Test(
    "a plain call is read as the same call is within a batch, however its members stand",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,{"b":"c"}]}}"#,
      #"  { "params" : { } , "method" : "m" , "id" : "한\u00e9" , "jsonrpc" : "2.0" }  "#,
      #"{"jsonrpc":"2.0","method":"m"}"#, #"{"jsonrpc":"2.0","id":2.5,"method":"m","params":[1]}"#,
      #"{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"m","params":{},"params":null}"#,
      #"{"jsonrpc":"2.0","id":1,"meth\u006fd":"m","more":1,"params":{"a":1}}"#,
      #"{"jsonrpc":"2.0","id":-1.0,"method":"m\n","params":{"a":1,"a":2}}"#,
      #"{"jsonrpc":"2.0","jsonrpc":"1.0","id":1,"method":"m"}"#, #"{"id":1,"method":"m"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":7}"#, #"{"jsonrpc":"2.0","id":1,"method":"m","params":"p"}"#,
      #"{"jsonrpc":"2.0 ","id":1,"method":"m"}"#,
    ])
  func plainCalls(call: String) {
    guard case .batch(let messages) = read("[\(call)]") else {
      Issue.record("no batch")
      return
    }
    #expect(read(call) == .single(messages[0]))
  }

  @Test(
    "what is no JSON is no call, wherever it goes wrong",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"m"},"#, #"{"jsonrpc":"2.0","id":1,"method":"m",}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"m""#, #"{"jsonrpc" "2.0","id":1,"method":"m"}"#, "{", "{}}",
    ])
  func brokenCalls(call: String) {
    guard case .unreadable = read(call) else {
      Issue.record("it was read")
      return
    }
  }
}
