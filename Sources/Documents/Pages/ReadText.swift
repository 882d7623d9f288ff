import Contract
import Display
import Kit
import PDF
import Store
import Wire

enum ReadText: ExternalReadMethod {
  static let name = "documents/text"
  static let summary =
    "The text of a page in reading order: plain, with positions of words or characters, or as paragraphs."
  static let effects: Effects = .reads
  static let doing = Text("doing.readText")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt,
  ]

  enum Detail: String, Choice {
    case plain, words, characters, reflow
  }

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var detail: Detail?
    var password: String?
    static let example = Params(id: "0192", page: 2, detail: .words, password: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.",
      "detail":
        "`plain` (default), with hyphenated words joined; the unchanged text with the positions of `words` or of "
        + "`characters`; or `reflow`: paragraphs and headings, for text editors and screen readers.",
      "password": "The password of a protected document; stored in memory only.",
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
      "offset": "Its offset in `text`, in the client's position encoding.",
      "length": "Its length in `text`.",
      "quad": "Its position on the page, in points from the top left.",
    ]
  }

  enum BlockKind: String, Choice {
    case heading, paragraph, item
  }

  struct Block: Payload {
    var kind: BlockKind
    var level: Int?
    var text: String
    var quads: [[Double]]
    static let example = Block(
      kind: .paragraph, level: nil, text: "This is a line of text.",
      quads: [[72, 90, 240, 90, 240, 102, 72, 102]])
    static let fields = [
      "kind": "A `heading`, a `paragraph`, or a list `item` with its marker.",
      "level": "For a heading: 1 for the largest font size, up to 3.",
      "text": "Its lines joined, without the hyphens at line ends.",
      "quads": "One quad per line.",
    ]
  }

  struct Result: Payload {
    var page: Int
    var text: String
    var placed: Bool
    var words: [Part]?
    var characters: [Part]?
    var blocks: [Block]?
    static let example = Result(
      page: 2, text: "This is a line of text.\n", placed: true, words: [.example], characters: nil,
      blocks: nil)
    static let fields = [
      "page": "The page, from 0.",
      "text":
        "The whole text; lines end at U+000A. With `plain`, a word hyphenated at a line end is whole in the first of "
        + "the two lines. With `reflow`, the blocks, separated by blank lines.",
      "placed": "Whether the positions of the characters are known.",
      "words": "Each word and its position.",
      "characters": "Each Unicode scalar and its position.",
      "blocks": "The page's blocks, in reading order.",
    ]
  }

  struct Plan: Sendable {
    var source: PageTextSource
    var detail: Detail
    var encoding: PositionEncoding
  }
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(
      source: try PageTextSource.plan(
        params.id.text, page: params.page, password: params.password, in: snapshot),
      detail: params.detail ?? .plain, encoding: snapshot.reader.positionEncoding)
  }

  /// Laid out here and not while the reply is written: a page may have a million characters, and other clients wait
  /// there.
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws
    -> Result
  {
    result(of: try await plan.source.fetch(with: services), as: plan.detail, in: plan.encoding)
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    result
  }

  private static func result(of text: PageText, as detail: Detail, in encoding: PositionEncoding)
    -> Result
  {
    let layout = PageLayout(text)
    var result = Result(
      page: text.page, text: text.text, placed: layout.hasPlaces, words: nil, characters: nil,
      blocks: nil)
    switch detail {
    case .plain: result.text = layout.wholeWords
    case .words: result.words = parts(layout.words, of: layout, in: encoding)
    case .characters:
      let inked = layout.scalars.indices.filter { layout.scalars[$0] != "\n" }.map { $0..<$0 + 1 }
      result.characters = parts(inked, of: layout, in: encoding)
    case .reflow:
      let reflowed = ReflowedPage(layout)
      result.text = reflowed.text
      result.blocks = reflowed.blocks.map { Block($0, in: layout) }
    }
    return result
  }

  private static func parts(
    _ ranges: [Range<Int>], of layout: PageLayout, in encoding: PositionEncoding
  ) -> [Part] {
    let units = UnitOffsets(layout.scalars, in: encoding)
    return ranges.map { range in
      let start = units[range.lowerBound]
      // A blank has a place too, though it has no glyph.
      let box =
        layout.box(around: range) ?? (layout.hasPlaces ? layout.boxes[range.lowerBound] : nil)
      return Part(offset: start, length: units[range.upperBound] - start, quad: box?.quad ?? [])
    }
  }
}

extension ReadText.Block {
  init(_ block: ReflowedPage.Block, in layout: PageLayout) {
    self.init(
      kind: .paragraph, level: nil, text: block.text,
      quads: block.lines.flatMap { layout.quads(of: $0.range) })
    switch block.kind {
    case .heading(let level):
      kind = .heading
      self.level = level
    case .paragraph: kind = .paragraph
    case .item: kind = .item
    }
  }
}
