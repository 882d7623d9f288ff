import Contract
import Wire

/// A field of a card that is one word of a line, a sign with the value: `!1`. What reads and writes lines names no such
/// field.
struct CardSign: Sendable {
  static let all = [CardPriority.sign]

  let name: String
  /// The names by which the line of `projects/add` may state it, as other programs do: `pri:H`.
  let names: [String]
  /// The value after such a name; nil for a text that is none.
  let parse: @Sendable (_ text: String) -> JSONValue?
  private let sign: Character
  private let field: PlainField?

  init(
    _ name: String, sign: Character, names: [String], parse: @escaping @Sendable (_ text: String) -> JSONValue?
  ) {
    (self.name, self.names, self.parse, self.sign) = (name, names, parse, sign)
    field = PlainField.all.first { $0.name == name }
  }

  /// The value in a card; nil if it is the default.
  func value(in card: ProjectRecord) -> JSONValue? { field?.value(in: card) }

  func word(_ value: JSONValue) -> String { "\(sign)\(value)" }

  /// The field of a word, and its value; nil for a word that is none, or whose value `projects/update` would refuse.
  static func read(_ word: Substring) -> (field: CardSign, value: JSONValue)? {
    guard word.utf8.first.map(begins) == true, let field = all.first(where: { $0.sign == word.first }) else {
      return nil
    }
    var card = ProjectRecord()
    guard field.field?.assign(word: String(word.dropFirst()), to: &card) == true, let value = field.value(in: card),
      sameBytes(field.word(value), String(word))
    else { return nil }
    return (field, value)
  }

  /// Whether a byte is the first one of a sign.
  static func begins(with byte: UInt8) -> Bool { firstBytes.contains(byte) }

  private static let firstBytes = Set(all.compactMap { String($0.sign).utf8.first })
}
