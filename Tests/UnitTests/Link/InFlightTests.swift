import Link
import Testing
import Wire

@Suite("In flight")
struct InFlightTests {
  private func request(_ id: Int64) -> Message { .request(id: .integer(id), method: "m", params: .null) }
  private let notification = Message.notification(method: "n", params: .null)

  private func refuse(_ id: RequestID?, _ error: RPCError) -> [UInt8] {
    Array("\(id?.json.description ?? "null"):\(error.code)".utf8)
  }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test("a request is answered once, and a second answer is nothing")
  func once() {
    var inFlight = InFlight()
    let admission = inFlight.admit(.single(request(1)), refuse: refuse)
    #expect(admission.messages == [request(1)])
    #expect(admission.reply == nil)
    #expect(inFlight.contains(.integer(1)))
    #expect(text(inFlight.complete(.integer(1), Array("a".utf8))) == "a")
    #expect(inFlight.complete(.integer(1), Array("b".utf8)) == nil)
    #expect(inFlight.complete(.integer(7), Array("c".utf8)) == nil)
    #expect(inFlight.count == 0)
  }

  @Test("an id in use is refused for the second request only, and free again after its answer")
  func duplicate() {
    var inFlight = InFlight()
    _ = inFlight.admit(.single(request(1)), refuse: refuse)
    let second = inFlight.admit(.single(request(1)), refuse: refuse)
    #expect(second.messages.isEmpty)
    #expect(text(second.reply) == "1:-32600")
    #expect(text(inFlight.complete(.integer(1), Array("a".utf8))) == "a")
    #expect(inFlight.admit(.single(request(1)), refuse: refuse).messages == [request(1)])
  }

  @Test("a batch is one array in the order of its members, whatever the order of the answers")
  func batch() {
    var inFlight = InFlight()
    let invalid = Message.invalid(id: nil, .invalidRequest("notAnObject"))
    let admission = inFlight.admit(
      .batch([request(1), notification, invalid, request(2), request(1)]), refuse: refuse)
    #expect(admission.messages == [request(1), notification, request(2)])
    #expect(admission.reply == nil)
    #expect(inFlight.complete(.integer(2), Array("two".utf8)) == nil)
    #expect(text(inFlight.complete(.integer(1), Array("one".utf8))) == "[one,null:-32600,two,1:-32600]")
    #expect(inFlight.complete(.integer(1), Array("again".utf8)) == nil)
  }

  @Test("a batch without requests is answered by its errors, or by nothing")
  func batchWithoutRequests() {
    var inFlight = InFlight()
    let silent = inFlight.admit(.batch([notification, notification]), refuse: refuse)
    #expect(silent.messages.count == 2)
    #expect(silent.reply == nil)
    let invalid = Message.invalid(id: .integer(3), .invalidRequest("method"))
    #expect(text(inFlight.admit(.batch([invalid, notification]), refuse: refuse).reply) == "[3:-32600]")
    #expect(text(inFlight.admit(.single(invalid), refuse: refuse).reply) == "3:-32600")
  }

  @Test("two batches wait for their own members")
  func twoBatches() {
    var inFlight = InFlight()
    _ = inFlight.admit(.batch([request(1), request(2)]), refuse: refuse)
    _ = inFlight.admit(.batch([request(3)]), refuse: refuse)
    #expect(inFlight.complete(.integer(1), Array("one".utf8)) == nil)
    #expect(text(inFlight.complete(.integer(3), Array("three".utf8))) == "[three]")
    #expect(text(inFlight.complete(.integer(2), Array("two".utf8))) == "[one,two]")
  }

  @Test("what is no JSON is answered under no id")
  func unreadable() {
    var inFlight = InFlight()
    let admission = inFlight.admit(Frame(reading: Array("{".utf8)), refuse: refuse)
    #expect(admission.messages.isEmpty)
    #expect(text(admission.reply) == "null:-32700")
  }
}
