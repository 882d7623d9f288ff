import Wire

extension WebURL {
  /// The URL with one more parameter, percent-encoded.
  func appending(_ name: String, _ value: String) -> WebURL {
    let pair = "\(PercentEncoding.encoded(name))=\(PercentEncoding.encoded(value))"
    return replacing(target: target + (target.contains("?") ? "&" : "?") + pair)
  }

  /// The URL without the parameters for which the closure returns true; it gets the decoded name and value.
  func removing(where isUnwanted: (_ name: String, _ value: String) -> Bool) -> WebURL {
    guard let mark = target.firstIndex(of: "?") else { return self }
    let remaining = pairs.filter { !isUnwanted($0.name, $0.value) }.map(\.text).joined(separator: "&")
    return replacing(target: target[..<mark] + (remaining.isEmpty ? "" : "?" + remaining))
  }

  /// The values of the parameters that look like secrets.
  var secretValues: Set<String> {
    Set(pairs.filter { Self.looksSecret($0.name) && !$0.value.isEmpty }.map(\.value))
  }

  private var pairs: [(text: Substring, name: String, value: String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let equals = pair.firstIndex(of: "=") ?? pair.endIndex
      return (pair, Self.decoded(pair[..<equals]), Self.decoded(pair[equals...].dropFirst()))
    }
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decoded(text, isForm: true) ?? String(text.replacing("+", with: " "))
  }
}
