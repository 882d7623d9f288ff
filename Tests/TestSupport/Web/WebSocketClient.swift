import Foundation
import Wire

/// The page's side of a WebSocket, by RFC 6455.
package struct WebSocketClient: Sendable {
  package enum Message: Sendable, Equatable {
    case text(String)
    case closed(code: Int?, reason: String)
  }

  package let connection: WebConnection

  package struct Refused: Error {
    package var reply: WebReply?
  }

  /// Opens `/rpc`; `headers` are added to those of a browser.
  package init(_ bridge: WebBridge, _ headers: [String: String]) async throws {
    connection = try bridge.connect()
    var all = [
      "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": bridge.origin,
    ]
    for (name, value) in headers { all[name] = value }
    await connection.send(bridge.request("GET", "/rpc", all))
    let reply = try await connection.reply()
    guard reply?.status == 101, reply?["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" else {
      throw Refused(reply: reply)
    }
  }

  package func send(_ text: String) async {
    await connection.send(Self.frame(opcode: 1, Array(text.utf8)))
  }

  /// A masked frame; with `isLast` false, a fragment. A key of zeros leaves a large payload as it is.
  package static func frame(
    opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true, key: [UInt8] = [1, 2, 3, 4]
  ) -> [UInt8] {
    var bytes: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
    let bit: UInt8 = isMasked ? 0x80 : 0
    switch payload.count {
    case ..<126: bytes.append(bit | UInt8(payload.count))
    case ..<65_536: bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - $0 * 8)) }
    }
    guard isMasked else { return bytes + payload }
    if key == [0, 0, 0, 0] { return bytes + key + payload }
    return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
  }

  /// The next whole message; pings are answered on the way.
  package func receive() async throws -> Message {
    var text: [UInt8] = []
    while true {
      guard let start = try await connection.bytes(2) else { return .closed(code: nil, reason: "") }
      var length = Int(start[1] & 0x7F)
      if length > 125, let more = try await connection.bytes(length == 126 ? 2 : 8) {
        length = more.reduce(0) { $0 << 8 | Int($1) }
      }
      guard let payload = try await connection.bytes(length) else { return .closed(code: nil, reason: "") }
      switch start[0] & 0x0F {
      case 0, 1:
        text += payload
        if start[0] & 0x80 != 0 { return .text(String(decoding: text, as: UTF8.self)) }
      case 8:
        let code = payload.count > 1 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        return .closed(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
      case 9: await connection.send(Self.frame(opcode: 10, payload))
      default: break
      }
    }
  }

  /// The reply to a request, ignoring what comes before it.
  package func call(_ id: Int, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue? {
    let request: JSONValue = ["jsonrpc": "2.0", "id": .integer(Int64(id)), "method": .string(method), "params": params]
    await send(request.description)
    while case .text(let text) = try await receive() {
      let message = try JSONParser.parse(text)
      if message["id"]?.integerValue == Int64(id) { return message }
    }
    return nil
  }
}
