import Daemon
import Wire

/// The places of an `ambiguous` error: the text of each, and the parameter that selects it.
///
///     1. …so we say it [again] and then…
///        quads:='[[72,90,240,90,240,102,72,102]]'
struct Places {
  private let places: [JSONValue]

  init(_ data: JSONValue?) {
    places = data?["places"]?.arrayValue ?? []
  }

  var lines: [String] {
    places.enumerated().flatMap { index, place in
      let number = "\(index + 1). "
      let indent = String(repeating: " ", count: number.count)
      return ["  " + number + reading(of: place)] + quads(of: place).map { "  " + indent + $0 }
    }
  }

  private func reading(of place: JSONValue) -> String {
    func part(_ name: String) -> String {
      let text = place[name]?.stringValue ?? ""
      return LogLine.escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    func words(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }
    let before = part("prefix")
    let after = part("suffix")
    return words(before.trimmed, "[\(part("text"))]", after.trimmed)
  }

  private func quads(of place: JSONValue) -> [String] {
    guard let quads = place["quads"], quads.arrayValue?.isEmpty == false else { return [] }
    return ["quads:='\(quads.description)'"]
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
