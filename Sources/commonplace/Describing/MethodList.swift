import Contract
import Kit

/// All methods, or those of an area, one per line.
enum MethodList {
  static func text(of routes: [Route], columns: Int = 80) -> String {
    let width = routes.map(\.name.count).max() ?? 0
    var lines: [String] = []
    var area = ""
    for route in routes.sorted(by: { order($0) < order($1) }) {
      let own = methodArea(of: route.name)
      if own != area {
        if !area.isEmpty { lines.append("") }
        lines.append(own.uppercased())
        area = own
      }
      let name = route.name + String(repeating: " ", count: width - route.name.count)
      lines.append("  " + name + "  " + line(route.summary, columns: max(columns - width - 4, least)))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let least = 30

  /// The first sentence, or the part of it that fits.
  private static func line(_ summary: String, columns: Int) -> String {
    let sentence = summary.firstRange(of: ". ").map { String(summary[..<$0.lowerBound]) + "." } ?? summary
    return TextWidth.cut(sentence, to: columns)
  }

  /// A connection begins with `session`, so the list does too.
  private static func order(_ route: Route) -> (Int, String, String) {
    let area = methodArea(of: route.name)
    return (area == "session" ? 0 : 1, area, route.name)
  }
}
