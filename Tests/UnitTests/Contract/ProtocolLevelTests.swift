import Contract
import TestSupport
import Testing
import Wire

@Suite("Protocol levels")
struct ProtocolLevelTests {
  private static let present = ProtocolLevel.frozen(
    level: 1, methods: Shelf.reference.methods, notifications: Shelf.reference.notifications)

  @Test("a level keeps what it froze, also through a file") func same() throws {
    let file = try JSONParser.parse(JSONWriter.bytes(of: Self.present))
    #expect(ProtocolLevel.breaks(from: file, to: Self.present) == [])
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var path: [String]
    var value: JSONValue?
    /// What an earlier level with this change would have lost, and what it would lose the other way round.
    var forward: String?
    var backward: String?
    var testDescription: String { path.joined(separator: ".") }

    init(_ path: String, _ value: JSONValue?, forward: String? = nil, backward: String? = nil) {
      self.path = path.split(separator: ".").map(String.init)
      self.value = value
      self.forward = forward
      self.backward = backward
    }
  }

  private static let params = "methods.shelf/update.params.fields"
  private static let result = "methods.shelf/update.result.fields"

  /// Each changes the frozen level; `forward` compares the present with it, `backward` it with the present.
  static let changes: [Change] = [
    Change("methods.shelf/list", nil, forward: "shelf/list disappeared"),
    Change("notifications.shelf/didMove", nil, forward: "shelf/didMove disappeared"),
    Change("\(params).title", nil, forward: "params.title disappeared"),
    Change("\(params).id", nil, forward: "params.id disappeared", backward: "params.id is new and required"),
    Change("\(params).title.presence", "required", forward: "title became required"),
    Change("\(params).due.presence", "optional", forward: "due can no longer be cleared"),
    Change("\(params).title.type", "integer", forward: "title was string", backward: "title was integer"),
    Change("\(params).limit.type", "number", backward: "limit was number"),
    Change("\(params).size.choices", ["small"], forward: "no longer takes medium, large"),
    Change("\(params).note.form", "day", forward: "note takes only"),
    Change("\(params).limit.minimum", 2, forward: "the minimum of"),
    Change("\(params).limit.maximum", 50, forward: "the maximum of"),
    Change("\(params).limit.maximum", 5000, backward: "the maximum of"),
    Change("\(params).note.minimumLength", 1, forward: "the minimumLength of"),
    Change("\(params).note.notBlank", true, forward: "may no longer be blank"),
    Change("\(params).places.of.fields.x", nil, forward: "places[].x disappeared", backward: "x is new and required"),
    Change("methods.shelf/update.params.exactlyOne", [["url", "path"]], forward: "exactly one of url, path"),
    Change("methods.shelf/update.params.exactlyOne", nil, backward: "exactly one of url, path, data"),
    Change("methods.shelf/update.params.atMostOne", nil, backward: "at most one of before, after"),
    Change("\(result).size", nil, forward: "result.size disappeared"),
    Change("\(result).size.presence", "optional", forward: "size is no longer always there"),
    Change("\(result).due.presence", "required", backward: "due is no longer always there"),
    Change("\(result).at.form", nil, forward: "at is no longer"),
    Change("\(result).size.choices", ["small"]),
  ]

  @Test("what disappears or becomes stricter is found, what becomes wider is not", arguments: changes)
  func finds(_ change: Change) {
    let changed = Self.changed(Self.present, change.path[...], change.value)
    #expect(changed != Self.present)
    let forward = ProtocolLevel.breaks(from: Self.present, to: changed)
    let backward = ProtocolLevel.breaks(from: changed, to: Self.present)
    #expect(forward.count == (change.forward == nil ? 0 : 1), "\(forward)")
    if let expected = change.forward { #expect(forward.first?.contains(expected) == true, "\(forward)") }
    if let expected = change.backward {
      #expect(backward.contains { $0.contains(expected) }, "\(backward)")
    }
  }

  private static func changed(_ value: JSONValue, _ path: ArraySlice<String>, _ new: JSONValue?) -> JSONValue {
    guard let key = path.first, case .object(var object) = value else { return value }
    object[key] = path.count == 1 ? new : changed(object[key] ?? .null, path.dropFirst(), new)
    return .object(object)
  }
}
