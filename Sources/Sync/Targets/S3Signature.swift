import Contract
import Crypto
import Wire

/// AWS signature version 4 of a request to an S3-compatible server, over its whole body.
struct S3Signature: Sendable {
  let keyID: String
  let secret: String
  let region: String

  /// The headers that a request has to be sent with.
  ///
  /// - Parameters:
  ///   - host: as the client sends it, with a port that is not the scheme's.
  ///   - path: percent-encoded.
  ///   - query: decoded.
  ///   - time: `20261127T094500Z`.
  func headers(
    _ method: String, host: String, path: String, query: [(name: String, value: String)], body: [UInt8], time: String
  ) -> [(name: String, value: String)] {
    let hash = SHA256.hexadecimal(of: body)
    let signed = [("host", host), ("x-amz-content-sha256", hash), ("x-amz-date", time)]
    let names = signed.map(\.0).joined(separator: ";")
    let request = [
      method, path, Self.written(query), signed.map { "\($0.0):\($0.1)\n" }.joined(), names, hash,
    ].joined(separator: "\n")
    let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
    let text = ["AWS4-HMAC-SHA256", time, scope, SHA256.hexadecimal(of: Array(request.utf8))].joined(separator: "\n")
    let key = scope.split(separator: "/").reduce(Array("AWS4\(secret)".utf8)) {
      hmacSHA256(Array($1.utf8), key: $0)
    }
    let signature = hexadecimal(hmacSHA256(Array(text.utf8), key: key))
    let authorization = "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    return Array(signed.dropFirst()) + [("Authorization", authorization)]
  }

  /// The query as it is signed and sent: by name, percent-encoded.
  static func written(_ query: [(name: String, value: String)]) -> String {
    query.map { (PercentEncoding.encoded($0.name), PercentEncoding.encoded($0.value)) }.sorted { $0 < $1 }
      .map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// `20261127T094500Z` of a moment.
  static func time(milliseconds: Int64) -> String {
    let text = Instant(milliseconds: milliseconds).description.prefix(19)
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
