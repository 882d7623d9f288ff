import Contract
import Display
import Kit
import Store
import Wire

/// Reads a day, a time, or both from words, with the particles that belong to them: "on 1 Dec at 9am", "12월 1일까지".
enum DayAndTime {
  /// The meaning of words: a day, a day and a time in either order, or a time of today; nil for other words.
  static func read(
    _ words: ArraySlice<Substring>, _ snapshot: Snapshot
  ) -> (day: CalendarDay, time: String?)? {
    if let day = day(words, snapshot) { return (day, nil) }
    for cut in words.indices.dropFirst() {
      if let time = time(words[cut...]) {
        if let day = day(words[..<cut], snapshot) { return (day, time) }
        // "at" belongs to the time.
        if let word = words[..<cut].last, timeParticles.contains(word.lowercased()),
          let day = day(words[..<cut].dropLast(), snapshot)
        {
          return (day, time)
        }
      }
      // "Movie night friday" has no time.
      if !isPartOfAnyDay(words[..<cut]), let time = time(words[..<cut]),
        let day = day(words[cut...], snapshot)
      {
        return (day, time)
      }
    }
    if words.count == 1, let word = words.first, let due = gluedDayAndTime(word, snapshot) { return due }
    // "A nice evening" is not this evening.
    if isPartOfAnyDay(words) { return nil }
    return time(words).map { (snapshot.services.today(for: snapshot.reader), $0) }
  }

  /// A day and a time without a blank between them: 明天下午3点, 明日の朝.
  private static func gluedDayAndTime(_ word: Substring, _ snapshot: Snapshot) -> (day: CalendarDay, time: String?)? {
    guard !word.utf8.allSatisfy({ $0 < 0x80 }), word.unicodeScalars.prefix(33).count <= 32 else { return nil }
    for cut in word.indices.dropFirst() {
      let day = word[..<cut].hasSuffix("の") ? word[..<cut].dropLast() : word[..<cut]
      guard let time = time([word[cut...]]), let day = Self.day(String(day), snapshot) else { continue }
      return (day, time)
    }
    return nil
  }

  private static func day(_ words: ArraySlice<Substring>, _ snapshot: Snapshot) -> CalendarDay? {
    let text = words.joined(separator: " ")
    if let day = day(text, snapshot) { return day }
    if let first = words.first?.lowercased(), dayParticles.contains(first), let next = words.dropFirst().first,
      // "Turn the heating on tomorrow".
      first != "on" || !daysWithoutOn.contains(next.lowercased()),
      let day = day(words.dropFirst(), snapshot)
    {
      return day
    }
    return unmarked(text).flatMap { day($0, snapshot) }
  }

  static func day(_ text: String, _ snapshot: Snapshot) -> CalendarDay? {
    guard TextForm.givenDay.accepts(text) else { return nil }
    if let day = CalendarDay(text) { return day }
    let today = snapshot.services.today(for: snapshot.reader).yearMonthDay
    let read = NaturalDate.read(text, today: today, leaning: .ahead, locale: snapshot.reader.locale)
    return read == nil ? nil : try? GivenDay(stringLiteral: text).deadline(in: snapshot)
  }

  // MARK: - Particles

  /// Before a time.
  private static let timeParticles: Set = ["at", "by", "due"]
  /// Before a day. Days with "by" and "due" have a meaning of their own.
  private static let dayParticles: Set = ["at", "due", "on", "在", "于", "於"]
  private static let daysWithoutOn: Set = ["today", "tomorrow", "tmrw", "in"]
  /// Around a day or a time without a blank: 12월 1일에, 9時に, 在12月1日.
  private static let glued = (before: ["在", "于", "於"], after: ["에는", "까지", "에", "までに", "まで", "には", "に"])

  /// A text without its glued particle; nil if it has none.
  private static func unmarked(_ text: String) -> String? {
    if let end = glued.after.first(where: text.hasSuffix) { return String(text.dropLast(end.count)) }
    return glued.before.first(where: text.hasPrefix).map { String(text.dropFirst($0.count)) }
  }

  static func time(_ words: ArraySlice<Substring>) -> String? {
    // "At 8 tonight" has a time, and "chapter 8 tonight" has none before "tonight".
    if let time = time(words.joined(separator: " ")) { return time }
    let text = unmarkedTime(words)
    return time(text) ?? unmarked(text).flatMap(time)
  }

  /// See `TimeOfDay.isPartOfAnyDay`.
  static func isPartOfAnyDay(_ words: ArraySlice<Substring>) -> Bool { TimeOfDay.isPartOfAnyDay(unmarkedTime(words)) }

  /// Without the particle before a time.
  private static func unmarkedTime(_ words: ArraySlice<Substring>) -> String {
    let isMarked = words.first.map { timeParticles.contains($0.lowercased()) } ?? false
    return (isMarked ? words.dropFirst() : words).joined(separator: " ")
  }

  static func time(_ text: String) -> String? {
    text.isEmpty || text.unicodeScalars.count > TimeOfDay.longestText ? nil : try? TimeOfDay.stored(text)
  }
}
