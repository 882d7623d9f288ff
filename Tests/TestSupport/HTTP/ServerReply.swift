import Foundation
import Wire

/// What a scripted server does with one request: steps in their order.
package struct ServerReply: Sendable {
  /// One thing done to the connection.
  package enum Step: Sendable {
    /// Bytes, as they are.
    case send(Data)
    /// The same bytes again and again until the peer closes.
    case sendForever(Data)
    /// Tells the test that the server has come this far.
    case open(ServerGate)
    /// Goes on when the test opens the gate.
    case wait(ServerGate)
    /// Reads until the peer closes, then opens the gate.
    case waitForPeerToClose(ServerGate)
    /// Ends the connection in order.
    case close
    /// Ends the connection with a reset.
    case reset
  }

  package var steps: [Step]

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The bytes of a head, with its empty line.
  package static func head(_ status: Int, _ headers: [(String, String)]) -> Data {
    let lines = ["HTTP/1.1 \(status) Whatever"] + headers.map { "\($0): \($1)" }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// A complete answer that lets the connection live.
  package static func answer(_ status: Int, _ headers: [(String, String)] = [], body: Data = Data()) -> ServerReply {
    let length = status == 304 || status == 204 ? [] : [("Content-Length", "\(body.count)")]
    return ServerReply([.send(head(status, headers + length)), .send(body)])
  }

  /// The same with a text.
  package static func text(_ body: String, status: Int = 200, _ headers: [(String, String)] = []) -> ServerReply {
    answer(status, headers, body: Data(body.utf8))
  }

  /// The same with JSON.
  package static func json(
    _ body: JSONValue, status: Int = 200, _ headers: [(String, String)] = []
  ) -> ServerReply {
    answer(status, [("Content-Type", "application/json")] + headers, body: Data(JSONWriter.bytes(of: body)))
  }

  /// A gzip body as it is given, whole or not.
  package static func gzip(_ body: Data, status: Int = 200, _ headers: [(String, String)] = []) -> ServerReply {
    answer(status, [("Content-Encoding", "gzip")] + headers, body: body)
  }

  /// "As before", with the headers given and without a body.
  package static func notModified(_ headers: [(String, String)] = []) -> ServerReply { answer(304, headers) }

  /// No answer until the peer gives up; then the gate opens.
  package static func silence(_ gone: ServerGate = ServerGate()) -> ServerReply {
    ServerReply([.waitForPeerToClose(gone)])
  }

  /// Ends the connection without a byte.
  package static let closing = ServerReply([.close])

  /// A head without its end, and silence.
  package static let slowHeaders = ServerReply([
    .send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/pl".utf8)), .waitForPeerToClose(ServerGate()),
  ])

  /// Tells that the request has arrived, and answers when it may: so a test decides in which order things happen.
  package func after(_ gate: ServerGate, telling arrived: ServerGate? = nil) -> ServerReply {
    let late = ServerReply([.wait(gate)] + steps)
    return arrived.map { late.telling($0) } ?? late
  }

  /// Tells that the request has arrived.
  package func telling(_ arrived: ServerGate) -> ServerReply { ServerReply([.open(arrived)] + steps) }

  /// Sends only so many bytes of the answer, head included, then closes.
  package func cut(after count: Int) -> ServerReply {
    var left = count
    var kept: [Step] = []
    for step in steps {
      guard case .send(let data) = step else { continue }
      kept.append(.send(data.prefix(max(0, left))))
      left -= data.count
    }
    return ServerReply(kept + [.close])
  }

  /// A redirect, 302 unless said.
  package static func redirect(to location: String, status: Int = 302) -> ServerReply {
    answer(status, [("Location", location)])
  }

  /// A file as a good server gives it: whole, or the rest that `Range` and `If-Range` ask for.
  ///
  /// - Parameter cut: send only so many bytes of the body, then close.
  package static func file(
    _ bytes: Data, to request: ScriptedServer.Request, headers: [(String, String)] = [], etag: String? = "\"one\"",
    lastModified: String? = nil, cut: Int? = nil
  ) -> ServerReply {
    var headers = headers
    if let etag { headers.append(("ETag", etag)) }
    if let lastModified { headers.append(("Last-Modified", lastModified)) }
    var status = 200
    var body = bytes
    let isSame = request["If-Range"].map { $0 == etag || $0 == lastModified } ?? true
    if isSame, let range = request["Range"], let first = Int(range.dropFirst("bytes=".count).dropLast()) {
      guard first < bytes.count else { return .answer(416, [("Content-Range", "bytes */\(bytes.count)")]) }
      status = 206
      body = bytes.dropFirst(first)
      headers.append(("Content-Range", "bytes \(first)-\(bytes.count - 1)/\(bytes.count)"))
    }
    headers.append(("Content-Length", "\(body.count)"))
    let head = Self.head(status, headers)
    guard let cut else { return ServerReply([.send(head), .send(body)]) }
    return ServerReply([.send(head), .send(body.prefix(cut)), .close])
  }
}
