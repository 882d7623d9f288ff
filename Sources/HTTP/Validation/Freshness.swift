import FoundationEssentials
import Wire

/// The freshness lifetime of a response.
enum Freshness {
  private static let longest: Duration = .seconds(365 * 86_400)

  /// `Cache-Control: max-age` minus `Age`, else `Expires` minus `Date`; zero for `no-store` and `no-cache`; nil if
  /// unspecified. RFC 9111, section 4.2.1.
  static func duration(_ headers: HTTPHeaders, now: Date?) -> Duration? {
    let directives = headers.all("Cache-Control").flatMap { $0.split(separator: ",") }.map {
      $0.trimmingWhitespace().lowercased()
    }
    if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" || $0.hasPrefix("no-cache=") }) {
      return .zero
    }
    if let text = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst("max-age=".count) {
      let digits = text.filter { $0 != "\"" }
      guard let age = seconds(String(digits)) else { return .zero }
      return max(.zero, min(longest, .seconds(age - (headers["Age"].flatMap { seconds($0) } ?? 0))))
    }
    guard let expires = headers["Expires"] else { return nil }
    // "0" and other invalid dates mean the past.
    guard let date = HTTPDate(expires)?.date else { return .zero }
    guard let sent = headers["Date"].flatMap({ HTTPDate($0)?.date }) ?? now else { return .zero }
    return max(.zero, min(longest, .seconds(date.timeIntervalSince(sent))))
  }

  private static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text.prefix(9))
  }
}
