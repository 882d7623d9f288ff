import Contract
import Display
import Wire

/// The terminal on which a reply is shown, and its audience.
struct Screen {
  /// In columns.
  var width: Int
  var ink: Ink
  /// The time zone in which moments are shown.
  var zone: Zone
  /// Returns the sentences of the catalogue.
  var say: (Text) -> String
  /// The locale of weeks and months.
  var locale = LocaleTag.english
  /// The labels for ids in lists, by the ids: one for each row with the id, in their order.
  var labels: [String: ArraySlice<String>] = [:]
  /// The message for an empty list.
  var nothing = Text("table.none")

  /// `2026-11-21 12:04`: the only form of moments that is not a display string.
  func moment(_ instant: Instant) -> String { String(zone.wall(instant).prefix(16)).replacing("T", with: " ") }

  /// The label of a field of a reply. A field without one is shown by the parts of its name: `viewCount` is “view
  /// count”.
  func label(_ field: String) -> String { known("field.\(field)") ?? Self.words(in: field) }

  /// The word for one of a field's choices; without one, the choice itself.
  func word(_ choice: String) -> String { known("choice.\(choice)") ?? choice }

  /// The catalogue's text for a key, or nil.
  private func known(_ key: String) -> String? {
    let word = say(Text(key))
    return sameBytes(word, key) ? nil : word
  }

  private static func words(in name: String) -> String {
    var words = ""
    for character in TerminalText.line(name) {
      if character.isUppercase, words.last?.isLowercase == true { words += " " }
      words += character.lowercased()
    }
    if words.hasSuffix(" at") { words.removeLast(3) }
    return words.hasPrefix("is ") ? String(words.dropFirst(3)) : words
  }
}

extension Place {
  /// The output's terminal.
  var screen: Screen {
    Screen(
      width: Terminal.outputWidth, ink: Ink(isOn: Terminal.hasColors(environment)), zone: voice.reader.zone,
      say: { voice.sentence($0) }, locale: voice.reader.locale)
  }
}

extension Zone {
  /// `2026-11-21T12:04:05`, in local time.
  func wall(_ instant: Instant) -> String {
    let offset = offset(at: instant.milliseconds / 1_000)
    // Shifted by the offset, its text in UTC is the local time.
    return String(instant.adding(milliseconds: Int64(offset) * 1_000).description.prefix(19))
  }
}
