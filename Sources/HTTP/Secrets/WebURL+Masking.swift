import Wire

extension WebURL {
  /// The URL for display and logs.
  package var masked: String { Self.masked(text) }

  /// Any text that may be a URL, for display: without user part and fragment, and with values of query and path
  /// parameters that look like secrets replaced by `***`, except for placeholders of a secret. Also works on text that
  /// is not a valid URL.
  package static func masked(_ text: String) -> String { masked(text, by: "***") }

  private static func masked(_ text: String, by mask: String) -> String {
    var shown = String(text.prefix { $0 != "#" })
    if let slashes = shown.firstRange(of: "://") {
      let authorityEnd = shown[slashes.upperBound...].firstIndex { "/?".contains($0) } ?? shown.endIndex
      if let at = shown[slashes.upperBound..<authorityEnd].lastIndex(of: "@") {
        shown.removeSubrange(slashes.upperBound...at)
      }
    }
    let path = shown.prefix { $0 != "?" }
    return maskedPairs(in: path, separatedBy: ";/", by: mask)
      + maskedPairs(in: shown[path.endIndex...], separatedBy: "?&;", by: mask)
  }

  /// Masks the values of `name=value` pairs: of a query, and of the parameters of a path's segments, `a.pdf;token=…`.
  private static func maskedPairs(in text: Substring, separatedBy separators: String, by mask: String) -> String {
    var masked = ""
    var rest = text
    while true {
      let pair = rest.prefix { !separators.contains($0) }
      if let equals = pair.firstIndex(of: "="), looksSecret(String(pair[..<equals])),
        ![SecretPlace.encoded, SecretPlace.written].contains(String(pair[equals...].dropFirst()))
      {
        masked += pair[..<equals] + "=\(mask)"
      } else {
        masked += pair
      }
      guard pair.endIndex < text.endIndex else { return masked }
      masked.append(text[pair.endIndex])
      rest = text[text.index(after: pair.endIndex)...]
    }
  }

  /// Any text that may be a URL, for storage: secrets are replaced by `{credential}`, everything else is unchanged. A
  /// fragment is preserved unless it contains a secret.
  package static func storable(_ text: String) -> String {
    // Most URLs have neither a pair nor a user part, and this runs for every document that is shown.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else { return text }
    let plain = text.prefix { $0 != "#" }
    let fragment = text[plain.endIndex...]
    let isPlain = fragment.dropFirst().split { "&?".contains($0) }.allSatisfy { pair in
      pair.firstIndex(of: "=").map { !looksSecret(String(pair[..<$0])) } ?? true
    }
    return masked(String(plain), by: SecretPlace.written) + (isPlain ? fragment : "")
  }

  /// Whether a query parameter of this name usually holds a secret: `key`, `api_key`, `X-Amz-Signature`, `accessToken`.
  static func looksSecret(_ name: String) -> Bool {
    let plain = (PercentEncoding.decoded(name) ?? name).lowercased()
    let words = plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let secretWords: Set = [
      "apikey", "auth", "authorization", "code", "credential", "credentials", "hmac", "jwt", "key", "pass", "passwd",
      "passcode", "passphrase", "pin", "pw", "pwd", "session", "sessionid", "sid", "sig",
    ]
    let secretEndings = ["apikey", "accesskey", "password", "secret", "signature", "token"]
    return words.contains { word in secretWords.contains(word) || secretEndings.contains { word.hasSuffix($0) } }
  }
}
