import Wire

/// An address of this computer at which other devices reach the APIs of their apps, and nothing else.
struct AppAddress: Sendable, Equatable {
  let host: String
  let port: Int

  /// `192.168.1.2:7718` or `[fe80::1]:7718`; nil for anything else.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
    (self.host, self.port) = (String(host), Int(port))
  }

  /// As in a URL.
  func shown(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
