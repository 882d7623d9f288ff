/// The text of a page for a text editor or a screen reader: paragraphs, headings and list items in reading order,
/// their lines joined.
///
/// The order is the extraction order, which goes through columns. Blocks are separated by the places of the lines: a
/// gap, another character size, an indented or a short line begins a new block.
struct ReflowedPage {
  enum Kind {
    case heading(level: Int)
    case paragraph, item
  }

  struct Block {
    var kind: Kind
    var lines: [ReflowedLine]
    var text: String
  }

  private(set) var blocks: [Block] = []

  private let layout: PageLayout
  /// The usual character height of the page, and the usual distance between lines.
  private let size: Double
  private let step: Double
  private let join: LineJoin
  private let lines: [ReflowedLine]

  /// The number of a paragraph's lines from which its edges are computed.
  private static let memory = 32

  init(_ layout: PageLayout) {
    self.layout = layout
    join = LineJoin(layout)
    let lines = layout.reflowedLines
    self.lines = lines
    size = Self.median(
      lines.flatMap { line in repeatElement(line.height, count: line.range.count) }.filter {
        $0 > 0
      })
    let distances = zip(lines, lines.dropFirst()).compactMap { line, next -> Double? in
      guard let top = line.box?.top, let below = next.box?.top, below > top else { return nil }
      return below - top
    }
    // On a page with many gaps the median would be one of them.
    step = distances.isEmpty ? size * 1.2 : distances.sorted()[distances.count / 3]
    for group in groups() { blocks.append(block(of: group)) }
  }

  /// All of it, with a blank line between the blocks; items of one list are not separated.
  var text: String {
    var text = ""
    for (index, block) in blocks.enumerated() {
      if index > 0 {
        if case .item = block.kind, case .item = blocks[index - 1].kind {
          text += "\n"
        } else {
          text += "\n\n"
        }
      }
      text += block.text
    }
    return blocks.isEmpty ? "" : text + "\n"
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  // MARK: - What belongs together

  private func groups() -> [[ReflowedLine]] {
    var groups: [[ReflowedLine]] = []
    for (index, line) in lines.enumerated() {
      guard let group = groups.last, goesOn(group, with: line, at: index) else {
        groups.append([line])
        continue
      }
      groups[groups.count - 1].append(line)
    }
    return groups
  }

  private func goesOn(_ group: [ReflowedLine], with line: ReflowedLine, at index: Int) -> Bool {
    guard let last = group.last else { return false }
    if last.isBeside(line) { return true }
    if last.isSideways != line.isSideways { return false }
    if ListMarker.length(in: layout.scalars[line.range], isAlone: true) > 0, !isInSentence(group) {
      return false
    }
    guard let box = line.box, let above = last.box else {
      // Without places only the end of a sentence is available.
      return !endsSentence(last)
    }
    if abs(line.height - last.height) > 0.15 * max(line.height, last.height),
      max(line.range.count, last.range.count) > 3
    {
      return false
    }
    if box.top < above.top || box.top > above.bottom + 3 * step {
      // The next column, or the next part of the page: the sentence may continue there.
      return !endsSentence(last) && join.mayGoOn(last.range, line.range)
    }
    if box.top - above.top > max(1.35 * step, 1.6 * last.height) { return false }
    return !isNew(line, box, at: index, after: group.suffix(Self.memory), above)
  }

  /// Whether a line right below begins a paragraph: it is indented and the lines above were not, or the reverse, or
  /// the line above ended early.
  private func isNew(
    _ line: ReflowedLine, _ box: Box, at index: Int, after group: ArraySlice<ReflowedLine>,
    _ above: Box
  ) -> Bool {
    guard let last = group.last else { return true }
    let left = group.compactMap { $0.box?.left }.min() ?? above.left
    let right = group.compactMap { $0.box?.right }.max() ?? above.right
    let indent = 0.8 * max(size, 1)
    let ended = endsSentence(last)
    if group.count > 1, ended, box.left > left + indent, box.left < left + 8 * indent {
      return true
    }
    // A single line above: a line that is indented relative to it begins a new paragraph.
    if group.count == 1, ended, box.left > above.left + indent { return true }
    let width = max(right, box.right) - min(left, box.left)
    if ended { return above.right < min(left, box.left) + 0.8 * width }
    // A line of code or of a verse, far shorter than its column, is not continued unless the next line indicates it.
    return above.right < above.left + 0.7 * (columnEnd(at: index - 1) - above.left)
      && !join.mayGoOn(last.range, line.range)
  }

  /// The end of the longest of the surrounding lines that begin at the same edge and have the same height.
  private func columnEnd(at place: Int) -> Double {
    let line = lines[place]
    guard let box = line.box else { return 0 }
    let around = lines[max(0, place - 8)..<min(lines.count, place + 9)]
    return around.compactMap { other -> Double? in
      guard let otherBox = other.box, abs(otherBox.left - box.left) < 3 * size,
        abs(other.height - line.height) <= 0.15 * max(other.height, line.height)
      else { return nil }
      return otherBox.right
    }.max() ?? box.right
  }

  private func isInSentence(_ group: [ReflowedLine]) -> Bool {
    guard let last = group.last, let end = last.range.last else { return false }
    // “see chapter⏎3. There” is not a list, but `-⏎` and `:⏎` may precede one.
    return layout.scalars[end].properties.isLowercase && group.count > 1 && !endsSentence(last)
  }

  private func endsSentence(_ line: ReflowedLine) -> Bool {
    var index = line.range.upperBound - 1
    while index > line.range.lowerBound, ")]”’»」』\"'".unicodeScalars.contains(layout.scalars[index]) { index -= 1 }
    return ".!?:;…。！？؟۔।".unicodeScalars.contains(layout.scalars[index])
  }

  // MARK: - Types of blocks

  private func block(of lines: [ReflowedLine]) -> Block {
    let text = text(of: lines)
    if let level = headingLevel(of: lines, text) {
      return Block(kind: .heading(level: level), lines: lines, text: text)
    }
    let isItem = ListMarker.length(in: Array(text.unicodeScalars.prefix(12))[...]) > 0
    return Block(kind: isItem ? .item : .paragraph, lines: lines, text: text)
  }

  /// Characters that are larger than usual, in few lines, are a heading: 1 for the largest, 3 for the smallest.
  private func headingLevel(of lines: [ReflowedLine], _ text: String) -> Int? {
    guard size > 0, lines.count <= 4, !lines[0].isSideways, text.unicodeScalars.count <= 200,
      text.unicodeScalars.contains(where: \.properties.isAlphabetic)
    else { return nil }
    let height = lines.map(\.height).max() ?? 0
    switch height / size {
    case 1.7...: return 1
    case 1.35..<1.7: return 2
    case 1.12..<1.35: return 3
    default: return nil
    }
  }

  private func text(of lines: [ReflowedLine]) -> String {
    var text = ""
    for (index, line) in lines.enumerated() {
      if index > 0 {
        let previous = lines[index - 1]
        if previous.isBeside(line) {
          text += previous.isParted(from: line) ? "\t" : " "
        } else {
          join.put(between: previous.range, line.range, &text)
        }
      }
      text += layout.string(line.range).filter { $0 != "\u{AD}" }
    }
    return text
  }
}
