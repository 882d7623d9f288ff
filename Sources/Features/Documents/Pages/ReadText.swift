import Contract
import PDF
import Store
import Wire

enum ReadText: ExternalReadMethod {
  static let name = "documents/text"
  static let summary = "The text of a page in reading order, with the place of every word or character if asked for."
  static let since = 1
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound, .passwordRequired, .workerCrashed, .timedOut, .corrupt]

  enum Detail: String, Choice {
    case plain, words, characters
  }

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var detail: Detail?
    var password: String?
    static let example = Params(id: "0192", page: 2, detail: .words, password: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.",
      "detail": "`plain` (default), or also the places of `words` or of `characters`.",
      "password": "What opens a protected document; kept in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["page": .atLeast(0)]
    static let secrets: Set<String> = ["password"]
  }

  struct Part: Payload {
    var offset: Int
    var length: Int
    var quad: [Double]
    static let example = Part(offset: 0, length: 4, quad: [72, 90, 96, 90, 96, 102, 72, 102])
    static let fields = [
      "offset": "Where in `text` it begins, in the client's position encoding.", "length": "How long it is there.",
      "quad": "Where it is on the page, in points from the top left.",
    ]
  }

  struct Result: Payload {
    var page: Int
    var text: String
    var placed: Bool
    var words: [Part]?
    var characters: [Part]?
    static let example = Result(
      page: 2, text: "This is a line of text.\n", placed: true, words: [.example], characters: nil)
    static let fields = [
      "page": "The page, from 0.", "text": "The whole text; lines end at U+000A.",
      "placed": "Whether the places of the characters are known.", "words": "Each word and its place.",
      "characters": "Each Unicode scalar and its place.",
    ]
  }

  typealias Plan = PageTextSource
  typealias Fetched = PageText

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> PageTextSource {
    var plan = try PageTextSource.plan(params.id.text, page: params.page, password: params.password, in: snapshot)
    plan.detail = params.detail ?? .plain
    return plan
  }

  static func fetch(_ plan: PageTextSource, with services: Services, progress: Progress) async throws -> PageText {
    try await plan.fetch(with: services)
  }

  static func finish(_ text: PageText, of plan: PageTextSource, in snapshot: Snapshot) throws -> Result {
    let layout = PageLayout(text)
    var result = Result(page: text.page, text: text.text, placed: layout.hasPlaces, words: nil, characters: nil)
    switch plan.detail {
    case .plain: break
    case .words: result.words = parts(layout.words, of: layout, text: text.text, in: snapshot)
    case .characters:
      let inked = layout.scalars.indices.filter { layout.scalars[$0] != "\n" }.map { $0..<$0 + 1 }
      result.characters = parts(inked, of: layout, text: text.text, in: snapshot)
    }
    return result
  }

  private static func parts(
    _ ranges: [Range<Int>], of layout: PageLayout, text: String, in snapshot: Snapshot
  ) -> [Part] {
    let units = UnitOffsets(layout.scalars, in: snapshot.reader.positionEncoding)
    return ranges.map { range in
      let start = units[range.lowerBound]
      // A blank has a place too, though nothing is drawn there.
      let box = layout.box(around: range) ?? (layout.hasPlaces ? layout.boxes[range.lowerBound] : nil)
      return Part(offset: start, length: units[range.upperBound] - start, quad: box?.quad ?? [])
    }
  }
}
