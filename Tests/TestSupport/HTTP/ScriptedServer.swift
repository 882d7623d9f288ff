import Foundation
import SQLite
import Synchronization

/// An HTTP server on 127.0.0.1 that answers each request with a script of raw steps, so that a test can send what no
/// proper server would. Plain sockets, one thread a connection; no step sleeps, gates order what happens.
///
/// Two servers are two origins: they differ by their port.
package final class ScriptedServer: Sendable {
  /// A request as it came.
  package struct Request: Sendable {
    /// Its place in `requests`, from 0.
    package let index: Int
    /// Which connection it came over, from 0: equal for requests that shared one.
    package let connection: Int
    package let method: String
    /// Path and query as sent.
    package let target: String
    package let headers: [(name: String, value: String)]
    /// As many bytes as its `Content-Length` says.
    package let body: Data

    /// The target up to its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The parameters of the query, decoded; of equal names the first.
    package var query: [String: String] {
      var query: [String: String] = [:]
      for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = halves.map { half in
          let spaced = half.replacing("+", with: " ")
          return spaced.removingPercentEncoding ?? String(spaced)
        }
        if query[decoded[0]] == nil { query[decoded[0]] = decoded.count > 1 ? decoded[1] : "" }
      }
      return query
    }

    /// The first header of that name, whatever its case.
    package subscript(name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  private struct State {
    var requests: [Request] = []
    var connections: [Int: Int32] = [:]
    var accepted = 0
    var isStopped = false
  }

  /// The port of 127.0.0.1.
  package let port: Int
  private let listener: Int32
  private let answer: @Sendable (Request) -> ServerReply
  private let state = Mutex(State())

  /// Starts to listen. The closure is called for each request, on the connection's thread.
  package init(_ answer: @escaping @Sendable (Request) -> ServerReply) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) != 0 || listen(listener, 64) != 0 || getsockname(listener, $0, &length) != 0
      }
    }
    guard !failed else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [self] in accept() }.start()
  }

  /// `http://127.0.0.1:PORT`, without a slash.
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Every request so far, in the order of arrival.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Closes the listener and all connections.
  package func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.connections.values { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func accept() {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      let number = state.withLock { state -> Int? in
        guard !state.isStopped else { return nil }
        defer { state.accepted += 1 }
        state.connections[state.accepted] = descriptor
        return state.accepted
      }
      guard let number else {
        close(descriptor)
        break
      }
      Thread { [self] in
        serve(ServerConnection(descriptor), number)
        state.withLock { _ = $0.connections.removeValue(forKey: number) }
        close(descriptor)
      }.start()
    }
    close(listener)
  }

  private func serve(_ connection: ServerConnection, _ number: Int) {
    while let lines = connection.readHead(), let first = lines.first {
      let words = first.split(separator: " ").map(String.init)
      guard words.count == 3 else { return }
      let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (String(line[..<colon]), value)
      }
      let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
      guard let body = connection.readBody(length) else { return }
      let request = state.withLock { state in
        let request = Request(
          index: state.requests.count, connection: number, method: words[0], target: words[1], headers: headers,
          body: body)
        state.requests.append(request)
        return request
      }
      for step in answer(request).steps {
        guard connection.run(step) else { return }
      }
    }
  }
}
