import Contract
import Display
import Wire

/// The terminal on which a reply is shown, and for whom.
struct Screen {
  /// In columns.
  var width: Int
  var ink: Ink
  /// Where moments are told by the clock on the wall.
  var zone: Zone
  /// The sentences of the catalogue.
  var say: (Text) -> String
  /// Whose weeks and months are shown.
  var locale = LocaleTag.english
  /// What stands for ids in lists, by the ids.
  var labels: [String: String] = [:]
  /// What an empty list is told by.
  var nothing = Text("table.none")

  /// `2026-11-21 12:04`: the one form of moments that no string for people stands for.
  func moment(_ instant: Instant) -> String { String(zone.wall(instant).prefix(16)).replacing("T", with: " ") }

  /// The word for a field of a reply. One that has none yet is told by its parts: `viewCount` is “view count”.
  func label(_ field: String) -> String { known("field.\(field)") ?? Self.words(in: field) }

  /// The word for one of the few choices that a field has; of one that has none yet the choice itself.
  func word(_ choice: String) -> String { known("choice.\(choice)") ?? choice }

  /// What the catalogue has under a key; one that it lacks stands for itself.
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
  /// `2026-11-21T12:04:05`, by the clock on the wall.
  func wall(_ instant: Instant) -> String {
    let offset = offset(at: instant.milliseconds / 1_000)
    // Moved by the offset, its text in UTC is the wall's.
    return String(instant.adding(milliseconds: Int64(offset) * 1_000).description.prefix(19))
  }
}
