import CCurl

/// The reason of a failed transfer, as a key of the catalogue's family `reason`, so that it can be part of a sentence
/// in any language; libcurl's own message if there is no key.
enum CurlReason {
  /// - Parameter said: libcurl's own message. For TLS only the message distinguishes errors, and those of OpenSSL and
  ///   GnuTLS differ.
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

  /// Whether the message is OpenSSL's or GnuTLS's for a lost connection.
  static func isLost(_ said: String) -> Bool {
    ["SSL_ERROR_SYSCALL", "reset by peer", "unexpected eof", "non-properly terminated", "Broken pipe"].contains {
      said.contains($0)
    }
  }

  /// The first match wins: GnuTLS reports for every certificate that its verification failed, and then why.
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
