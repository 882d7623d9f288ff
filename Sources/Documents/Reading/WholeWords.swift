extension PageLayout {
  /// The text with words rejoined that a hyphen breaks at a line end. The rest of the word moves up to the first
  /// line:
  ///
  ///     an exam-⏎ple of it     an example⏎of it
  ///
  /// The stored text keeps its line ends: offsets, boxes and anchors refer to it.
  var wholeWords: String {
    let trimmedLines = lines.map(trimmed)
    let breaks = zip(zip(lines, trimmedLines), zip(lines, trimmedLines).dropFirst()).filter { line, next in
      // An empty line between them ends the word.
      next.0.lowerBound == line.0.upperBound + 1 && LineJoin.breaksWord(line.1, next.1, of: self)
    }
    guard !breaks.isEmpty else { return string(0..<scalars.count) }
    let join = LineJoin(self)
    var whole: [Unicode.Scalar] = []
    whole.reserveCapacity(scalars.count)
    var start = 0
    var owesLineEnd = false
    func copy(_ range: Range<Int>) {
      guard owesLineEnd, let end = range.first(where: { scalars[$0].isBlank }) else {
        whole += scalars[range]
        return
      }
      whole += scalars[range.lowerBound..<end]
      whole.append("\n")
      whole += scalars[(end + 1)..<range.upperBound]
      owesLineEnd = false
    }
    for ((_, line), (_, next)) in breaks {
      let hyphen = line.upperBound - 1
      copy(start..<(join.keepsHyphen(line, next) ? hyphen + 1 : hyphen))
      start = next.lowerBound
      owesLineEnd = true
    }
    copy(start..<scalars.count)
    return String(scalars: whole[...])
  }
}
