import CCurl
import Display
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import SQLite

@Suite("TLS that does not come about") struct TLSTests {
  /// Takes connections, says something to each that is no TLS, or nothing, and counts them.
  private final class PlainListener: Sendable {
    let port: Int
    private let listener: Int32
    private let accepted = Mutex(0)
    var count: Int { accepted.withLock(\.self) }

    init(saying words: String) throws {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let failed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) != 0 || listen(descriptor, 8) != 0 || getsockname(descriptor, $0, &length) != 0
        }
      }
      guard !failed else { throw POSIXError(.EIO) }
      listener = descriptor
      port = Int(UInt16(bigEndian: address.sin_port))
      Thread { [self] in
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return }
          accepted.withLock { $0 += 1 }
          // Behind the client's first words, so that the end is an end and no reset.
          var bytes = [UInt8](repeating: 0, count: 4_096)
          _ = read(connection, &bytes, bytes.count)
          _ = words.withCString { write(connection, $0, strlen($0)) }
          close(connection)
        }
      }.start()
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  @Test("what is no TLS is not asked again, and is said to be untrusted; a handshake that is cut off is tried again")
  func notTLS() async throws {
    for (words, tries) in [("HTTP/1.1 400 Bad Request\r\n\r\n", 1), ("", 3)] {
      let server = try PlainListener(saying: words)
      defer { server.stop() }
      let bed = try HTTPTestBed()
      let failure = await bed.getFailure(HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      switch failure {
      case .untrusted(_, let reason)?: #expect(tries == 1 && reason == "notEncrypted")
      case .unreachable(_, let reason)?: #expect(tries == 3 && reason == "connectionLost")
      default: Issue.record("\(String(describing: failure))")
      }
      #expect(server.count == tries, "\(String(describing: failure))")
    }
  }

  @Test(
    "what libcurl says of a failure is told in a word of the catalogue, whichever library speaks TLS for it",
    arguments: [
      (CURLE_COULDNT_CONNECT, "Failed to connect to a.example port 443: Couldn't connect", "noConnection"),
      (CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: a.example", "hostUnknown"),
      (CURLE_GOT_NOTHING, "Empty reply from server", "answerNone"),
      (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", "connectionLost"),
      (CURLE_PEER_FAILED_VERIFICATION, "SSL: certificate has expired", "certificateExpired"),
      (
        CURLE_PEER_FAILED_VERIFICATION, "certificate verification failed. (certificate expiration date has passed)",
        "certificateExpired"
      ),
      (CURLE_PEER_FAILED_VERIFICATION, "SSL: self-signed certificate", "certificateUntrusted"),
      (CURLE_PEER_FAILED_VERIFICATION, "SSL: no alternative certificate subject name matches", "certificateOfOther"),
      (CURLE_PEER_FAILED_VERIFICATION, "what nobody has a word for", "what nobody has a word for"),
    ])
  func words(_ code: CURLcode, _ said: String, _ word: String) {
    #expect(CurlReason.word(for: code, said: said) == word)
    let catalogue = Catalogue()
    #expect(word.contains(" ") || catalogue.word("reason." + word, in: .english) != nil)
  }

  @Test("of the failures of a connection only those that may pass are tried again, and a certificate is none of them")
  func retries() {
    #expect(!RetryRule.mayPass(.untrusted(origin: "https://a.example", reason: "certificate has expired")))
    #expect(RetryRule.mayPass(.unreachable(origin: "https://a.example", reason: "connection reset by peer")))
  }
}
