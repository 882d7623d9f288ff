import Foundation
import TestSupport
import Testing
import Wire

/// The stand-in of all remote services, with faults on demand, that lies in `shared` beside the package. A process of
/// its own, for one case: it ends with this object. Its `--help` is the manual.
final class CatalogueServer: Sendable {
  /// The folder `shared`: COMMONPLACE_SHARED, else beside the package; nil where it is not.
  static let shared: String? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let places =
      ProcessInfo.processInfo.environment["COMMONPLACE_SHARED"].map { [URL(filePath: $0)] }
      ?? [package.appending(path: "../shared"), package.appending(path: "../../shared")]
    return places.map(\.standardized.path).first {
      FileManager.default.fileExists(atPath: $0 + "/peers/catalogue_server.py")
    }
  }()

  /// A request as the server logged it.
  struct Logged: Sendable {
    let json: JSONValue

    var path: String { json["path"].text }
    var port: Int { Int(json["port"]?.integerValue ?? -1) }
    /// -1 while it is not answered.
    var status: Int { Int(json["status"]?.integerValue ?? -1) }
    /// In bytes of the body.
    var sent: Int { Int(json["sent"]?.integerValue ?? 0) }
    /// Whether it was answered to its end.
    var isDone: Bool { json["done"] == true }

    /// All values of that name in the query.
    func query(_ name: String) -> [String] {
      json["query"].list.filter { $0[0]?.text == name }.map { ($0[1] ?? .null).text }
    }

    func header(_ name: String) -> String? { json["headers"]?[name.lowercased()]?.stringValue }
  }

  struct NoAnswer: Error {
    var request: String
  }

  /// `http://127.0.0.1:PORT`, of the two origins that serve the same.
  let origin: String
  let other: String
  private let process: ChildProcess

  var port: Int { Self.port(of: origin) }
  var otherPort: Int { Self.port(of: other) }

  /// - Parameters:
  ///   - arguments: `--unstable` and the like.
  ///   - data: the recorded bodies, if other ones.
  init(_ arguments: [String] = [], data: String? = nil) async throws {
    let shared = try #require(Self.shared)
    let environment = ProcessInfo.processInfo.environment.filter { ["HOME", "PATH"].contains($0.key) }
    process = try ChildProcess(
      "python3",
      ["-B", "peers/catalogue_server.py", "--origins", "2", "--data", data ?? "recorded", "--day", "2024-05-20"]
        + arguments,
      environment: environment, folder: shared)
    var origins: [String] = []
    while origins.count < 2 {
      guard let line = await process.line() else { throw NoAnswer(request: await process.ended().errors) }
      if line.hasPrefix("listening ") { origins.append(String(line.dropFirst("listening ".count))) }
    }
    (origin, other) = (origins[0], origins[1])
  }

  func stop() { process.kill(SIGKILL) }

  private static func port(of origin: String) -> Int { Int(origin.split(separator: ":").last ?? "") ?? 0 }

  // MARK: - Control

  /// What was requested so far of the paths that begin so.
  func log(_ prefix: String = "/") throws -> [Logged] {
    let answer = try JSONParser.parse(exchange("GET", "/_control/log"))
    return (answer.arrayValue ?? []).map(Logged.init(json:)).filter { $0.path.hasPrefix(prefix) }
  }

  /// What was requested of the second origin.
  func otherLog() throws -> [Logged] { try log().filter { $0.port == otherPort } }

  /// Answers what matches with a fault, instead of what was set before: so many times, after so many that are good.
  func fault(_ match: String, _ fault: String, times: Int? = nil, skip: Int = 0) throws {
    try faults([Self.rule(match, fault, times: times, skip: skip)])
  }

  static func rule(_ match: String, _ fault: String, times: Int? = nil, skip: Int = 0) -> JSONValue {
    [
      "match": .string(match), "fault": .string(fault), "times": times.map { json($0) } ?? .null, "skip": json(skip),
    ]
  }

  func faults(_ rules: [JSONValue]) throws { try control("faults", .array(rules)) }
  func noFaults() throws { try faults([]) }

  /// Answers with 429 beyond so many requests in so many seconds.
  func limit(_ prefix: String, max: Int, window: Int) throws {
    try control("limits", [["prefix": .string(prefix), "max": json(max), "window": json(window)]])
  }
  func noLimits() throws { try control("limits", []) }

  /// Everything changes: ETags, a new entry on boards and feeds, and a topic moves up.
  func bump() throws { try control("bump", []) }

  private func control(_ what: String, _ body: JSONValue) throws {
    let answer = try JSONParser.parse(exchange("POST", "/_control/\(what)", body.description))
    guard answer["error"] == nil else { throw NoAnswer(request: "\(what): \(answer)") }
  }

  /// The body of an answer, asked for without anything of ours in between.
  func exchange(_ method: String, _ target: String, _ body: String = "") throws -> [UInt8] {
    let text =
      "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let bytes = Array(text.utf8)
    guard connected == 0, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw NoAnswer(request: target)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { throw NoAnswer(request: target) }
    return Array(answer[end.upperBound...])
  }
}
