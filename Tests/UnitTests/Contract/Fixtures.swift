import Contract
import Wire

/// A small feature as one would be written, with one of everything that a payload can hold.
enum Shelf {
  struct BoxID: Identifier {
    let text: String
    init(unchecked text: String) { self.text = text }
  }

  enum Size: String, Choice { case small, medium, large }

  struct Place: Payload, Equatable {
    var x: Double
    var y: Double?
    static let example = Place(x: 1.5, y: 2)
    static let fields = ["x": "To the right.", "y": "Down."]
    static let limits: [String: FieldLimits] = ["x": .range(0...100)]
  }

  /// Contains itself.
  struct Node: Payload, Equatable {
    var name: String
    var children: [Node]?
    static let example = Node(name: "root", children: [Node(name: "leaf")])
    static let fields = ["name": "Its name.", "children": "What it holds."]
  }

  struct Box: Payload, Equatable {
    var id: BoxID
    var revision: Int64
    var size: Size
    var due: CalendarDay?
    var at: Instant
    var place: Place?
    static let example = Box(
      id: "box-1", revision: 3, size: .small, due: CalendarDay("2026-11-21"), at: Instant(milliseconds: 0),
      place: .example)
    static let fields = [
      "id": "The box.", "revision": "Its version.", "size": "How big it is.", "due": "Its day.", "at": "When it came.",
      "place": "Where it stands.",
    ]
  }

  enum UpdateBox: Method {
    static let name = "shelf/update"
    static let summary = "Changes a box."
    static let effects: Effects = [.writes]
    static let paramEffects: [String: Effects] = ["url": [.destroys, .network]]
    static let errors: [ErrorKind] = [.notFound, .conflict]
    struct Params: Payload {
      var id: BoxID
      var ifRevision: Int64?
      var size: Size?
      var due: Patch<CalendarDay> = .absent
      var note: Patch<String> = .absent
      var title: String?
      var limit: Int?
      var places: [Place]?
      var labels: [String: String]?
      var url: String?
      var path: String?
      var data: String?
      var before: BoxID?
      var after: BoxID?
      var tree: Node?
      var anything: JSONValue?
      var password: String?
      static let example = Params(id: "box-1", ifRevision: 3, due: .null, title: "A box", url: "https://a.example")
      static let fields = [
        "id": "The box.", "ifRevision": "Refuse if it has changed since.", "size": "How big it is.", "due": "Its day.",
        "note": "A word on it.", "title": "Its title.", "limit": "How many.", "places": "Where it stands.",
        "labels": "Words by language.", "url": "Where it comes from.", "path": "A file.", "data": "Bytes.",
        "before": "Put it before this one.", "after": "Put it behind this one.", "tree": "What it holds.",
        "anything": "Whatever you like.", "password": "Opens it.",
      ]
      static let exactlyOne = [["url", "path", "data"]]
      static let atMostOne = [["before", "after"]]
      static let limits: [String: FieldLimits] = [
        "title": .length(1...20, notBlank: true), "limit": .range(1...500), "places": .length(0...2),
        "data": .form(.base64), "path": .form(.absolutePath), "note": .length(0...5),
      ]
      static let secrets: Set<String> = ["password"]
    }
    typealias Result = Box
  }

  enum ListBoxes: Method {
    static let name = "shelf/list"
    static let summary = "Lists the boxes."
    static let effects: Effects = [.reads]
    typealias Params = Empty
    typealias Result = Page<Box>
  }

  enum Greet: Method {
    static let name = "initialize"
    static let summary = "Says who is there."
    static let effects: Effects = []
    static let isLanguageServer = true
    struct Params: Payload {
      var locale: String?
      static let example = Params(locale: "ko-KR")
      static let fields = ["locale": "The language for people."]
    }
    typealias Result = Empty
  }

  enum DidMove: Contract.Notification {
    static let name = "shelf/didMove"
    static let summary = "A box has been moved."
    static let direction = Direction.toClient
    struct Params: Payload {
      var ids: [BoxID]
      static let example = Params(ids: ["box-1"])
      static let fields = ["ids": "The boxes."]
    }
  }
}

extension Shelf {
  static let update = MethodDescription(UpdateBox.self, kind: "write")

  static let reference = Reference(
    methods: [update, MethodDescription(ListBoxes.self, kind: "read"), MethodDescription(Greet.self, kind: "control")],
    notifications: [NotificationDescription(DidMove.self)],
    errors: [
      ErrorDescription(name: "invalidParams", code: -32602, meaning: "A param cannot be used."),
      ErrorDescription(name: "notFound", meaning: "There is no such item."),
      ErrorDescription(name: "conflict", meaning: "The item has moved on; | `current` says how."),
    ],
    promises: ["Every request is answered once."])
}
