extension TextLine {
  /// Takes the marks of UTF-8 off its beginning, and returns them: files have it in their middle that were put together of
  /// several. They stay where they are, between the tasks.
  mutating func takeByteOrderMark() -> String {
    let marks = text.unicodeScalars.prefix { $0 == "\u{FEFF}" }
    if marks.isEmpty { return "" }
    text = String(text.unicodeScalars[marks.endIndex...])
    return String(marks)
  }
}
