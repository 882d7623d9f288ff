import Display
import HTTP
import Wire

/// The value of a key of `config.toml`. Each conversion throws an error with line and key for a value of another type.
struct SettingValue {
  let node: TOMLNode
  let section: SectionReader
  let name: String

  func text() throws(ConfigurationError) -> String {
    guard case .text(let text) = node else { throw mistake(Text("configuration.wantsText")) }
    return text
  }

  func boolean() throws(ConfigurationError) -> Bool {
    guard case .boolean(let value) = node else { throw mistake(Text("configuration.wantsBoolean")) }
    return value
  }

  func integer(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
    guard case .integer(let value) = node, range.contains(value) else {
      let arguments = ["least": String(range.lowerBound), "most": String(range.upperBound)]
      throw mistake(Text("configuration.wantsInteger", arguments))
    }
    return value
  }

  func texts() throws(ConfigurationError) -> [String] {
    guard case .list(let nodes) = node else { throw mistake(Text("configuration.wantsTexts")) }
    var texts: [String] = []
    for (index, node) in nodes.enumerated() {
      guard case .text(let text) = node else { throw mistake(element: index, Text("configuration.wantsTexts")) }
      texts.append(text)
    }
    return texts
  }

  func choice<Value>(_ choices: [(name: String, value: Value)]) throws(ConfigurationError) -> Value {
    let text = try text()
    if let choice = choices.first(where: { $0.name == text }) { return choice.value }
    let names = choices.map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw mistake(Text("configuration.notOneOf", ["choices": names]))
  }

  func zone() throws(ConfigurationError) -> Zone {
    guard let zone = Zone(try text()) else { throw mistake(Text("configuration.wantsZone")) }
    return zone
  }

  /// `04:00` as minutes after midnight.
  func minutes() throws(ConfigurationError) -> Int {
    let digits = Array(try text().utf8)
    guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(digits[$0]) })
    else { throw mistake(Text("configuration.wantsTime")) }
    let hour = Int(digits[0] - 0x30) * 10 + Int(digits[1] - 0x30)
    let minute = Int(digits[3] - 0x30) * 10 + Int(digits[4] - 0x30)
    guard hour < 24, minute < 60 else { throw mistake(Text("configuration.wantsTime")) }
    return hour * 60 + minute
  }

  /// An e-mail address or URL, which is sent as a comment in a header line.
  func contact() throws(ConfigurationError) -> String {
    let contact = try text()
    let isSafe = contact.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()\\".utf8.contains($0) }
    guard isSafe, contact.contains("@") || contact.contains("://"), contact.utf8.count <= 200 else {
      throw mistake(Text("configuration.wantsContact"))
    }
    return contact
  }

  /// The base URL of a service, without a trailing slash.
  func url() throws(ConfigurationError) -> String {
    let text = try text()
    guard let url = try? WebURL(text), !text.contains("?"), !text.contains("#") else {
      throw mistake(Text("configuration.wantsURL"))
    }
    return url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
  }

  /// An absolute path, or the URL of a folder of a server.
  func place() throws(ConfigurationError) -> String {
    let text = try text()
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~") { throw mistake(Text("configuration.wantsWholePath")) }
    guard (try? WebURL(text)) != nil, !text.contains("?"), !text.contains("#") else {
      throw mistake(Text("configuration.wantsPlace"))
    }
    return text
  }

  func origin() throws(ConfigurationError) -> Origin { try origin(text()) }

  func origins() throws(ConfigurationError) -> [Origin] {
    var origins: [Origin] = []
    for (index, text) in try texts().enumerated() { origins.append(try origin(text, element: index)) }
    return origins
  }

  /// An origin without a path: with one it would suggest a narrower rule than is applied.
  private func origin(_ text: String, element: Int? = nil) throws(ConfigurationError) -> Origin {
    guard let url = try? WebURL(text), url.target == "/", !text.contains("#") else {
      throw mistake(element: element, Text("configuration.wantsOrigin"))
    }
    return url.origin
  }

  func mistake(element: Int? = nil, _ text: Text) -> ConfigurationError {
    section.mistake(name, element: element, text)
  }
}
