import Contract
import Display
import Kit
import Store
import Wire

/// Words at an end of a line that look like a day or a time, but are none. They stay in the title, and the reply names
/// them: the card would otherwise be due on the default day without a word about it.
extension QuickLine {
  private static let longestDay = 4
  /// A shorter word is mostly a correct other word.
  private static let shortestMisspelling = 5

  func findMistake(in words: [Substring], _ snapshot: Snapshot) -> Text? {
    let sizes = (1...Self.longestDay).reversed().filter { $0 < words.count }
    let ends = sizes.map { words[(words.count - $0)...] } + sizes.map { words[..<$0] }
    for words in ends where !words.contains(where: { $0.first == "\\" }) {
      let text = words.joined(separator: " ")
      if values["time"] == nil, let time = Self.noTime(text) { return Text("projects.noSuchTime", ["text": time]) }
      guard values["deadline"] == nil, let mistake = Self.mistake(in: text, snapshot) else { continue }
      guard let likely = mistake.likely else { return Text("projects.noSuchDay", ["text": mistake.text]) }
      return Text("projects.misspeltDay", ["text": mistake.text, "nearest": likely])
    }
    return nil
  }

  private static func mistake(in text: String, _ snapshot: Snapshot) -> (text: String, likely: String?)? {
    guard TextForm.givenDay.accepts(text) else { return nil }
    let today = snapshot.services.today(for: snapshot.reader).yearMonthDay
    return NaturalDate.mistake(in: text, today: today, locale: snapshot.reader.locale) { word, known in
      guard word.count >= shortestMisspelling else { return nil }
      return likelyName(for: word, among: known, most: word.count < 7 ? 1 : 2)
    }
  }

  /// `25:00`, `at 9:75`: with the form of a time, and with numbers that no time has.
  private static func noTime(_ text: String) -> String? {
    text.wholeMatch(of: /(?:at|by|@) ?[0-9]{1,2}[:.][0-9]{2}(?: ?[ap]m)?|[0-9]{1,2}:[0-9]{2}(?: ?[ap]m)?/) != nil
      && DayAndTime.time(text.drop { !$0.isNumber }.description) == nil ? text : nil
  }
}
