import Contract
import Kit
import Store
import Wire

/// Fields of an entry beside its text: its journal, and where and how it was written. Each is one line, empty if it is
/// unknown.
struct EntryDetails: Sendable, Equatable {
  /// Other spellings of a journal that is there already are replaced by that one's.
  var journal = ""
  var place = ""
  /// `37.5665,126.978`: latitude and longitude in degrees.
  var coordinates = ""
  var weather = ""
  var mood = ""

  static let longest = 200

  static let fields = Fields<Self> {
    Field("journal", \.journal, line, "Its journal, such as `Work`; absent without one.")
      .settable(
        as: String.self,
        "Its journal, such as `Work`; a new name begins a journal. Default for a new one: the setting `diary.journal`.",
        limits: .length(0...longest)
      ) { name, details, snapshot in
        details.journal = try Journals.name(name, in: snapshot.db)
      }.followed
    Field("place", \.place, line, "Where it was written: `Café Central, Vienna`.").settableLine(\.place).followed
    Field("coordinates", \.coordinates, line, "The latitude and the longitude of the place: `48.2104,16.3654`.")
      .settable(as: String.self, limits: .length(0...longest)) { text, details, _ in
        guard let coordinates = text.isBlank ? "" : coordinates(text) else {
          throw RPCError.invalidParams(field: "coordinates", reason: Text("param.invalid"))
        }
        details.coordinates = coordinates
      }.followed
    Field("weather", \.weather, line, "The weather: `Rain, 12 °C`.").settableLine(\.weather).followed
    Field("mood", \.mood, line, "The mood of its author, in words or as an emoji.").settableLine(\.mood).followed
  }

  private static var line: FieldType<String> {
    let type = FieldType<String>.text(0...longest)
    return type.traveling(as: type.wire.omitted(where: \.isEmpty))
  }

  /// By name, in the order in which files state them.
  static let texts: [(name: String, path: any WritableKeyPath<Self, String> & Sendable)] = [
    ("journal", \.journal), ("place", \.place), ("coordinates", \.coordinates), ("weather", \.weather),
    ("mood", \.mood),
  ]

  init() {}

  /// The details that a file states by name. Longer ones are cut off, and coordinates that are none are left out.
  init(stated value: (_ name: String) -> String?) {
    for (name, path) in Self.texts {
      let text = Self.shortLine(value(name) ?? "")
      self[keyPath: path] = name == "coordinates" ? Self.coordinates(text) ?? "" : text
    }
  }

  /// Whether a file states coordinates that are none.
  static func areUnreadable(coordinates text: String?) -> Bool {
    let text = shortLine(text ?? "")
    return !text.isEmpty && coordinates(text) == nil
  }

  /// Those with a value, by name.
  var stated: [(name: String, text: String)] {
    Self.texts.map { ($0.name, self[keyPath: $0.path]) }.filter { !$0.text.isEmpty }
  }

  var json: JSONObject {
    stated.reduce(into: [:]) { $0[$1.name] = .string($1.text) }
  }

  /// These, with the others' where these have no value.
  func filled(from other: Self) -> Self {
    // Most have none, and key paths cost more than all of this.
    if other == Self() { return self }
    var filled = self
    for (_, path) in Self.texts where filled[keyPath: path].isEmpty { filled[keyPath: path] = other[keyPath: path] }
    return filled
  }

  /// The words for which a search finds the entry.
  var words: [String] { [journal, place, weather, mood].filter { !$0.isEmpty } }

  /// With a space for each run of white space, line ends and control characters.
  static func oneLine(_ text: String) -> String {
    text.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy(\.isLineEndOrControl) }.joined(separator: " ")
  }

  /// The same, cut off at the limit.
  static func shortLine(_ text: String) -> String {
    oneLine(String(oneLine(text).unicodeScalars.prefix(longest)))
  }

  /// Nil unless they are a latitude and a longitude in degrees.
  static func coordinates(_ text: String) -> String? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    return "\(latitude),\(longitude)"
  }
}

extension Field<EntryDetails> {
  fileprivate func settableLine(_ path: any WritableKeyPath<EntryDetails, String> & Sendable) -> Self {
    settable(as: String.self, limits: .length(0...EntryDetails.longest)) { text, details, _ in
      details[keyPath: path] = EntryDetails.oneLine(text)
    }
  }
}
