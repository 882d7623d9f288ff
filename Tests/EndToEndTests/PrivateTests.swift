import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("A private daemon on input and output", .timeLimit(.minutes(10)))
struct PrivateTests {
  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"session/ping"}"# + "\n"
  private static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"# + "\n"
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"# + "\n"

  @Test("ends with 0 after shutdown and exit, having written nothing but frames")
  func inOrder() async throws {
    let home = CommandLineHome()
    let result = try await home.run(
      ["serve", "--stdio", "--private"], input: Self.ping + Self.shutdown + Self.exit)
    #expect(result.status == 0)
    #expect(
      result.output == """
        {"jsonrpc":"2.0","id":1,"result":{}}
        {"jsonrpc":"2.0","id":2,"result":null}

        """)
    #expect(!home.isOwned)
    #expect(!FileManager.default.fileExists(atPath: home.socket))
  }

  @Test("ends with 1, but answers, when its client leaves without a word")
  func left() async throws {
    let home = CommandLineHome()
    let result = try await home.run(["serve", "--stdio", "--private"], input: Self.ping)
    #expect(result.status == 1)
    #expect(result.output == #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n")
    #expect(!home.isOwned)
  }

  @Test("speaks headers when it is spoken to with headers")
  func headers() async throws {
    let home = CommandLineHome()
    let body = #"{"jsonrpc":"2.0","id":1,"method":"session/ping"}"#
    let result = try await home.run(
      ["serve", "--stdio", "--private"], input: "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(result.output == "Content-Length: 36\r\n\r\n" + #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
  }

  @Test("takes its requests from a file and writes its answers into one")
  func files() async throws {
    let home = CommandLineHome()
    try (Self.ping + Self.shutdown + Self.exit).write(
      toFile: home.work + "/requests", atomically: true, encoding: .utf8)
    let shell = try home.start(
      ["serve", "--stdio", "--private"], redirecting: "< requests > answers")
    #expect(await shell.end().status == 0)
    #expect(
      try String(contentsOfFile: home.work + "/answers", encoding: .utf8) == """
        {"jsonrpc":"2.0","id":1,"result":{}}
        {"jsonrpc":"2.0","id":2,"result":null}

        """)
  }

  @Test("keeps others away at once, with its process in their sentence")
  func exclusive() async throws {
    let home = CommandLineHome()
    let daemon = try home.start(["serve", "--stdio", "--private"])
    daemon.write(Self.ping)
    _ = await daemon.line()
    for command in [["connect"], ["call", "session/ping"], ["check"], ["serve"]] {
      let result = try await home.run(command)
      #expect(result.status == 10, "\(command)")
      #expect(result.errors.contains("(\(daemon.pid))"), "\(command): \(result.errors)")
    }
    daemon.kill(SIGTERM)
    #expect(await daemon.ended().status == 0)
    #expect(!home.isOwned)
  }
}
