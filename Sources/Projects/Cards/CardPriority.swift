import Contract
import Wire

/// What a priority means wherever cards are ordered, written in a line or shown.
enum CardPriority {
  static let name = "priority"

  /// `!1`, or `priority:H`, `pri:5`.
  static let sign = CardSign(name, sign: "!", names: [name, "pri"]) { word in
    (PriorityScale.levels.number(word.uppercased()) ?? PriorityScale.digits.number(word)).map { .integer(Int64($0)) }
  }

  /// SQL by which cards are ordered, the highest first and those without one last. Two indexes of cards have it.
  static let order = "ifnull(priority, 10)"

  /// SQL for its share of a card's urgency: 6 from 1 to 4, 3.9 for 5, 1.8 from 6 to 9.
  static let urgency =
    "CASE WHEN priority IS NULL THEN 0 WHEN priority < 5 THEN 6 WHEN priority = 5 THEN 3.9 ELSE 1.8 END"

  static func badge(of card: ProjectRecord) -> Text? {
    card.priority.map { Text("projects.priority", ["priority": String($0)]) }
  }
}

/// How other programs write a priority. Ours is that of iCalendar: 1, the highest, to 9.
enum PriorityScale: Sendable {
  /// iCalendar, `1` to `9`. `0` is none (RFC 5545, 3.8.1.9).
  case digits
  /// Taskwarrior, `H`, `M`, `L`.
  case levels
  /// todo.txt, `A` to `Z`. Letters after `I` are 9.
  case letters
  /// The Tasks plug-in of Obsidian, a sign for every other number.
  case signs

  private static let numbers = [1: "🔺", 3: "⏫", 5: "🔼", 7: "🔽", 9: "⏬"]
  private static let names = ["highest": 1, "high": 3, "medium": 5, "low": 7, "lowest": 9]

  /// The sign for the value of `[priority:: high]`, which Dataview writes instead.
  static func sign(named name: String) -> String? { names[name.lowercased()].flatMap { numbers[$0] } }

  /// The same; nil for another field of Dataview.
  static func sign(ofField key: Substring, _ value: String) -> String? {
    key == "priority" ? sign(named: value) : nil
  }

  /// - Returns: nil for a word that this scale does not have.
  func number(_ word: String) -> Int? {
    switch self {
    case .digits: Int(word).flatMap { (1...9).contains($0) ? $0 : nil }
    case .levels: ["H": 1, "M": 5, "L": 9][word]
    case .letters: word.utf8.first.map { min(Int($0) - 64, 9) }
    case .signs: Self.numbers.first { $0.value == word }?.key
    }
  }

  /// - Returns: nil if this scale has no word for the number.
  func word(_ number: Int) -> String? {
    switch self {
    case .digits: String(number)
    case .levels: number < 5 ? "H" : number == 5 ? "M" : "L"
    case .letters: String(UnicodeScalar(UInt8(64 + number)))
    case .signs: Self.numbers[number]
    }
  }

  func isNone(_ word: String) -> Bool { self == .digits && Int(word) == 0 }
}

extension PlainField {
  /// The property that the programs of a format have for this field, and the scale of its values.
  func programProperty(in format: TaskFormat) -> (name: String, scale: PriorityScale)? {
    switch (name, format) {
    case ("priority", .ics): ("PRIORITY", .digits)
    case ("priority", .taskwarrior): ("priority", .levels)
    default: nil
    }
  }
}

extension ExternalTask {
  /// The priority as a format writes it. A word that the scale does not have is none.
  subscript(scale: PriorityScale) -> String? {
    get { card.priority.flatMap(scale.word) }
    set { card.priority = newValue.flatMap(scale.number) }
  }
}
