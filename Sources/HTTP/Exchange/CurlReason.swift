import CCurl

/// Why a transfer failed, as a word of the catalogue's family `reason`, so that it stands in a sentence of any language;
/// what nobody here has a word for stays as libcurl says it.
enum CurlReason {
  /// - Parameter said: what libcurl says in its own words. Of what goes wrong with TLS they alone tell one thing from
  ///   another, and OpenSSL's and GnuTLS's differ.
  static func word(for code: CURLcode, said: String) -> String {
    switch code {
    case CURLE_COULDNT_CONNECT: "noConnection"
    case CURLE_COULDNT_RESOLVE_HOST: "hostUnknown"
    case CURLE_GOT_NOTHING: "answerNone"
    case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR: "connectionLost"
    case CURLE_OUT_OF_MEMORY: "noMemory"
    case CURLE_SSL_CONNECT_ERROR where isLost(said): "connectionLost"
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION: tlsWord(in: said) ?? said
    default: said
    }
  }

  /// OpenSSL's and GnuTLS's words for a connection that ended.
  static func isLost(_ said: String) -> Bool {
    ["SSL_ERROR_SYSCALL", "reset by peer", "unexpected eof", "non-properly terminated", "Broken pipe"].contains {
      said.contains($0)
    }
  }

  /// The first that fits holds: GnuTLS says of every certificate that its verification failed, and then why.
  private static let tlsWords: [(word: String, said: [String])] = [
    ("certificateExpired", ["certificate has expired", "expiration date has passed"]),
    ("certificateEarly", ["certificate is not yet valid", "activation date is in the future"]),
    ("certificateOfOther", ["subject name", "does not match", "IP address mismatch", "Hostname mismatch"]),
    (
      "certificateUntrusted",
      ["self-signed certificate", "self signed certificate", "local issuer certificate", "verification failed"]
    ),
    ("notEncrypted", ["wrong version number", "unexpected TLS packet", "http request"]),
    (
      "noCommonEncryption",
      ["handshake failure", "protocol version", "unsupported protocol", "no protocols available"]
    ),
  ]

  private static func tlsWord(in said: String) -> String? {
    tlsWords.first { $0.said.contains { said.contains($0) } }?.word
  }
}
