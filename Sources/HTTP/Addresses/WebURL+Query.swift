import Foundation

extension WebURL {
  /// The URL with one more parameter, percent-encoded.
  func appending(_ name: String, _ value: String) -> WebURL {
    func encoded(_ text: String) -> String {
      text.utf8.reduce(into: "") { result, byte in
        let isPlain =
          byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        if isPlain || "-._~".utf8.contains(byte) {
          result.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return replacing(target: target + (target.contains("?") ? "&" : "?") + encoded(name) + "=" + encoded(value))
  }

  /// The URL without the parameters for which the closure says so; it gets name and value decoded.
  func removing(where isUnwanted: (_ name: String, _ value: String) -> Bool) -> WebURL {
    guard let mark = target.firstIndex(of: "?") else { return self }
    let kept = pairs.filter { !isUnwanted($0.name, $0.value) }.map(\.text).joined(separator: "&")
    return replacing(target: target[..<mark] + (kept.isEmpty ? "" : "?" + kept))
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
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }
}
