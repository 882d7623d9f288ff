import Contract
import Store
import Wire

/// The links of a text, each in its line.
///
/// In prose the links are those that the library finds in its own texts (`LinkScan`). A file of another language is
/// mostly code, where `[[ -f x ]]` and `a[[1]]` are no links: there only stable links are, and titles in comments.
struct TextScan: Sendable {
  struct Link: Sendable {
    var target: WrittenLink.Target
    var line: Int
    /// In UTF-8 bytes of the line.
    var range: Range<Int>
  }

  /// In the order of the text.
  let links: [Link]
  /// In a file of another language: the offset from which each line looks like a comment.
  private let comments: [Int: Int]

  private static let prose: Set = [
    "", "markdown", "org", "text", "plaintext", "asciidoc", "typst", "latex", "tex", "rst", "restructuredtext",
    "quarto", "gitcommit", "mail", "vimwiki", "norg", "pandoc",
  ]

  static func isProse(_ languageID: String) -> Bool { prose.contains(languageID.lowercased()) }

  init(of text: OpenText) {
    guard Self.isProse(text.languageID) else {
      (links, comments) = Self.linksInCode(text.lines)
      return
    }
    var links: [Link] = []
    var (line, start) = (0, 0)
    for link in LinkScan.links(in: text.text) {
      // Links do not span lines, and they are in order.
      while line + 1 < text.lines.count, start + text.lines[line].utf8.count <= link.range.lowerBound {
        start += text.lines[line].utf8.count
        line += 1
      }
      links.append(
        Link(
          target: link.target, line: line,
          range: link.range.lowerBound - start..<link.range.upperBound - start))
    }
    self.links = links
    comments = [:]
  }

  /// Whether a place in a file of another language is in a comment.
  func isComment(_ line: Int, at byte: Int) -> Bool { comments[line].map { $0 <= byte } ?? false }

  /// The link at an offset in a line, its end included: there a cursor is after its last character.
  func link(line: Int, byte: Int) -> Link? {
    var low = 0
    var high = links.count
    while low < high {
      let middle = (low + high) / 2
      if links[middle].line < line { low = middle + 1 } else { high = middle }
    }
    var found: Link?
    while low < links.count, links[low].line == line {
      if links[low].range.contains(byte) { return links[low] }
      if links[low].range.upperBound == byte { found = links[low] }
      low += 1
    }
    return found
  }

  func links(inLine line: Int) -> [Link] { links.filter { $0.line == line } }

  /// The lines of blocks between fences of three or more backticks or tildes, with the fences.
  static func fences(in lines: some Sequence<String>) -> Set<Int> {
    var fenced: Set<Int> = []
    var fence: (sign: UInt8, length: Int)?
    for (number, line) in lines.enumerated() {
      let text = line.utf8.drop { $0 == UInt8(ascii: " ") }
      let sign = text.first.flatMap { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "~") ? $0 : nil }
      let length = sign.map { sign in text.prefix { $0 == sign }.count } ?? 0
      let rest = text.dropFirst(length)
      if let open = fence {
        fenced.insert(number)
        if sign == open.sign, length >= open.length, Substring(rest).allSatisfy(\.isWhitespace) { fence = nil }
      } else if let sign, length >= 3, sign == UInt8(ascii: "~") || !rest.contains(UInt8(ascii: "`")) {
        fence = (sign, length)
        fenced.insert(number)
      }
    }
    return fenced
  }

  private static func linksInCode(_ lines: some Sequence<String>) -> (links: [Link], comments: [Int: Int]) {
    var links: [Link] = []
    var comments: [Int: Int] = [:]
    var isInBlock = false
    for (number, line) in lines.enumerated() {
      let comment = commentStart(in: line, isInBlock: &isInBlock)
      comments[number] = comment
      for link in LinkScan.links(in: line) {
        if case .title = link.target, comment.map({ link.range.lowerBound < $0 }) ?? true { continue }
        links.append(Link(target: link.target, line: number, range: link.range))
      }
    }
    return (links, comments)
  }

  /// The offset from which a line looks like a comment; nil if it does not.
  private static func commentStart(in line: String, isInBlock: inout Bool) -> Int? {
    let utf8 = Array(line.utf8)
    var start: Int? = isInBlock ? 0 : nil
    var place = 0
    while place < utf8.count {
      let next = place + 1 < utf8.count ? utf8[place + 1] : 0
      switch (utf8[place], next) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")) where !isInBlock:
        isInBlock = true
        start = start ?? place
      case (UInt8(ascii: "*"), UInt8(ascii: "/")) where isInBlock: isInBlock = false
      case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")): start = start ?? place
      case (UInt8(ascii: "#"), _), (UInt8(ascii: ";"), _), (UInt8(ascii: "%"), _):
        // Within a line of code these have other meanings; after a blank or at the beginning they open a comment.
        if place == 0 || utf8[place - 1] == UInt8(ascii: " ") || utf8[place - 1] == UInt8(ascii: "\t") {
          start = start ?? place
        }
      default: break
      }
      place += 1
    }
    return start
  }
}
