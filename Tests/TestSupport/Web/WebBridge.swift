import Foundation
import Wire

/// `commonplace web` of a home of its own, at a port that the system chose.
package final class WebBridge: Sendable {
  package let home: CommandLineHome
  package let process: ChildProcess
  package let port: Int
  /// The token that it printed first.
  package let token: String

  package struct NotServed: Error {
    package var said: String
  }

  package static func start(
    _ home: CommandLineHome = CommandLineHome(hasLibrary: true), _ arguments: [String] = [],
    changing environment: [String: String?] = [:]
  ) async throws -> WebBridge {
    let process = try home.start(["web", "--port", "0"] + arguments, changing: environment)
    let line = await process.line() ?? ""
    guard let (port, token) = parts(of: line) else {
      process.kill(SIGTERM)
      throw NotServed(said: line + (await process.ended().errors))
    }
    return WebBridge(home: home, process: process, port: port, token: token)
  }

  private init(home: CommandLineHome, process: ChildProcess, port: Int, token: String) {
    (self.home, self.process, self.port, self.token) = (home, process, port, token)
  }

  /// The token of the next line that it prints.
  package func nextToken() async -> String? {
    await process.line().flatMap(Self.parts)?.token
  }

  private static func parts(of line: String) -> (port: Int, token: String)? {
    guard let match = line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{64})/),
      let port = Int(match.output.1)
    else { return nil }
    return (port, String(match.output.2))
  }

  package var host: String { "127.0.0.1:\(port)" }
  package var origin: String { "http://\(host)" }
  package var url: String { "\(origin)/#token=\(token)" }

  package func connect() throws -> WebConnection { try WebConnection(port: port) }

  /// The answer to one request, on a connection of its own.
  ///
  /// The headers of a browser's page, `Host` and `Origin`, are sent unless given; an empty value leaves one out.
  package func request(
    _ method: String, _ target: String, _ headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> WebReply {
    let connection = try connect()
    await connection.send(request(method, target, headers, length: body.count) + body)
    guard let reply = try await connection.reply(to: method) else { throw NotServed(said: "no answer to \(target)") }
    return reply
  }

  /// The bytes of a request up to its body.
  package func request(
    _ method: String, _ target: String, _ headers: [String: String] = [:], length: Int = 0
  ) -> [UInt8] {
    var all = ["Host": host]
    if !["GET", "HEAD"].contains(method) { all["Origin"] = origin }
    if length > 0 || ["POST", "PUT"].contains(method) { all["Content-Length"] = String(length) }
    for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
    let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    return Array("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8)
  }

  /// Trades a token, and returns the `Cookie` header of the session.
  package func signIn(_ token: String? = nil) async throws -> [String: String] {
    let reply = try await request("POST", "/session", body: Array((token ?? self.token).utf8))
    guard reply.status == 204, let cookie = reply["set-cookie"] else { throw NotServed(said: reply.text) }
    return ["Cookie": String(cookie.prefix { $0 != ";" })]
  }

  /// The path of `/file` for a method.
  package static func file(_ method: String, _ params: JSONValue = [:], _ more: String = "") -> String {
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
    return "/file?method=\(encoded(method))&params=\(encoded(params.description))\(more)"
  }

  /// A WebSocket of a page with this session.
  package func openSocket(_ session: [String: String]) async throws -> WebSocketClient {
    try await WebSocketClient(self, session)
  }
}
