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

  private func complete(_ id: RequestID, _ reply: [UInt8], in inFlight: inout InFlight) -> [UInt8]? {
    inFlight.complete(id, reply) { Array("tooMuch".utf8) }
  }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test("a request is answered once, and a second answer is nothing")
  func once() {
    var inFlight = InFlight()
    let admission = inFlight.admit(.single(request(1)), refuse: refuse)
    #expect(admission.messages == [request(1)])
    #expect(admission.reply == nil)
    #expect(inFlight.contains(.integer(1)))
    #expect(text(complete(.integer(1), Array("a".utf8), in: &inFlight)) == "a")
    #expect(complete(.integer(1), Array("b".utf8), in: &inFlight) == nil)
    #expect(complete(.integer(7), Array("c".utf8), in: &inFlight) == nil)
    #expect(inFlight.count == 0)
  }

  @Test("an id in use is refused for the second request only, and free again after its answer")
  func duplicate() {
    var inFlight = InFlight()
    _ = inFlight.admit(.single(request(1)), refuse: refuse)
    let second = inFlight.admit(.single(request(1)), refuse: refuse)
    #expect(second.messages.isEmpty)
    #expect(text(second.reply) == "1:-32600")
    #expect(text(complete(.integer(1), Array("a".utf8), in: &inFlight)) == "a")
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
    #expect(complete(.integer(2), Array("two".utf8), in: &inFlight) == nil)
    #expect(text(complete(.integer(1), Array("one".utf8), in: &inFlight)) == "[one,null:-32600,two,1:-32600]")
    #expect(complete(.integer(1), Array("again".utf8), in: &inFlight) == nil)
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
    #expect(complete(.integer(1), Array("one".utf8), in: &inFlight) == nil)
    #expect(text(complete(.integer(3), Array("three".utf8), in: &inFlight)) == "[three]")
    #expect(text(complete(.integer(2), Array("two".utf8), in: &inFlight)) == "[one,two]")
  }

  @Test("what is no JSON is answered under no id")
  func unreadable() {
    var inFlight = InFlight()
    let admission = inFlight.admit(Frame(reading: Array("{".utf8)), refuse: refuse)
    #expect(admission.messages.isEmpty)
    #expect(text(admission.reply) == "null:-32700")
  }

  @Test("the replies of batches that wait for each other have a bound, and what they held is free again")
  func bound() {
    var inFlight = InFlight()
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: InFlight.mostHeldBytes / 2)
    for _ in 0..<2 {
      _ = inFlight.admit(.batch([request(1), request(2), request(3), request(4)]), refuse: refuse)
      #expect(complete(.integer(1), large, in: &inFlight) == nil)
      #expect(complete(.integer(2), large, in: &inFlight) == nil)
      #expect(inFlight.heldBytes == 2 * large.count)
      #expect(complete(.integer(3), [UInt8(ascii: "y")], in: &inFlight) == nil)
      let reply = complete(.integer(4), large, in: &inFlight)
      #expect(text(reply.map { Array($0.suffix(16)) }) == "tooMuch,tooMuch]")
      #expect(inFlight.heldBytes == 0)
    }
  }
}
