/// The visible content of a page, if that is a single image: invisible text that was recognized in a scan is ignored.
///
/// Every unknown operator that may draw, or change how the image is drawn, makes the result nil.
struct ScanContent {
  struct Found {
    var image: ScanImage
    /// The transformation from the unit square to the page.
    var matrix: Matrix
    var clips: [Area]
  }

  private struct State {
    var matrix = Matrix.identity
    var clips: [Area] = []
    var isBlack = true
    var isTextHidden = false
    /// Whether there is invisible text: glyphs of type 3 fonts are visible in any text mode.
    var hidesText = false
  }

  private static let mostForms = 16
  /// The most images and forms that are inspected before the content: a scanned page has few.
  private static let mostNamed = 64
  private static let deepestForm = 4
  private static let deepestState = 64
  /// The text of a page in small print, with a position for each word.
  private static let longest = 1_024 * 1_024
  private static let form: Set<String> = [
    "Type", "Subtype", "FormType", "BBox", "Matrix", "Resources", "Group", "Length", "Filter", "DecodeParms", "Name",
    "LastModified", "PieceInfo", "Metadata", "StructParent", "StructParents",
  ]

  private let objects: PDFObjects
  private var found: Found?
  private var forms = 0

  private init(_ objects: PDFObjects) {
    self.objects = objects
  }

  static func find(on page: [String: PDFValue], _ objects: PDFObjects) -> Found? {
    var content = ScanContent(objects)
    var seen: Set<Int> = []
    guard let resources = objects.resolved(page["Resources"])?.entries, content.mayDraw(resources, depth: 0, &seen),
      let bytes = content.bytes(of: page["Contents"]),
      content.read(bytes, resources, State(), depth: 0)
    else { return nil }
    return content.found
  }

  /// Whether the resources contain any image, checked before the content is decompressed: the pages of most books have
  /// none.
  ///
  /// - Parameter seen: the inspected objects: forms may refer to each other in arbitrary ways.
  private func mayDraw(_ resources: [String: PDFValue], depth: Int, _ seen: inout Set<Int>) -> Bool {
    guard depth < Self.deepestForm, let named = objects.resolved(resources["XObject"])?.entries,
      named.count <= Self.mostForms
    else { return false }
    for value in named.values {
      guard case .reference(let number) = value, seen.count < Self.mostNamed, seen.insert(number).inserted,
        let entries = objects.resolved(value)?.entries
      else { continue }
      switch entries["Subtype"]?.name {
      case "Image": return true
      case "Form":
        guard let inner = objects.resolved(entries["Resources"])?.entries else { continue }
        if mayDraw(inner, depth: depth + 1, &seen) { return true }
      default: continue
      }
    }
    return false
  }

  private func bytes(of contents: PDFValue?) -> [UInt8]? {
    if let stream = objects.stream(contents) { return stream.unpacked(most: Self.longest) }
    guard let list = objects.resolved(contents)?.list, list.count <= 256 else { return nil }
    var bytes: [UInt8] = []
    for part in list {
      guard let part = objects.stream(part)?.unpacked(most: Self.longest - bytes.count) else { return nil }
      bytes += part
      bytes.append(0x0a)
      guard bytes.count < Self.longest else { return nil }
    }
    return bytes
  }

  private mutating func read(_ bytes: [UInt8], _ resources: [String: PDFValue], _ state: State, depth: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var syntax = Syntax(bytes, hasReferences: false)
      var state = state
      var saved: [State] = []
      var operands: [PDFValue] = []
      var path = Path()
      while !syntax.isAtEnd {
        guard let value = syntax.value(), operands.count <= 64 else { return false }
        guard case .word(let word) = value else {
          operands.append(value)
          continue
        }
        guard Operators.fit(word, operands) else { return false }
        switch word {
        case "q":
          guard saved.count < Self.deepestState else { return false }
          saved.append(state)
        case "Q":
          guard let last = saved.popLast() else { return false }
          state = last
        default:
          guard run(word, operands, resources, &state, &path, depth: depth) else { return false }
        }
        operands.removeAll(keepingCapacity: true)
      }
      return operands.isEmpty
    }
  }

  private mutating func run(
    _ word: String, _ operands: [PDFValue], _ resources: [String: PDFValue], _ state: inout State, _ path: inout Path,
    depth: Int
  ) -> Bool {
    switch word {
    // Positions of invisible text, colors and lines of paths that are not drawn, and marked content.
    case "BT", "ET", "Td", "TD", "Tm", "T*", "Tc", "Tw", "Tz", "TL", "Ts", "w", "J", "j", "M", "d", "i", "G", "RG",
      "K", "CS", "SC", "SCN", "BMC", "EMC", "MP", "DP":
      return true
    case "g", "rg", "k", "cs", "sc", "scn":
      state.isBlack = (word == "g" || word == "rg") && operands.allSatisfy { $0.number == 0 }
      return true
    case "BDC":
      // A layer that may be hidden.
      return operands[0].name != "OC"
    case "ri":
      return ScanImage.intents.contains(operands[0].name)
    case "cm":
      guard let matrix = Matrix(operands) else { return false }
      state.matrix = matrix.followed(by: state.matrix)
      return state.matrix.isUsable
    case "re", "m", "l", "h", "c", "v", "y", "W", "W*", "n":
      return path.take(word, operands, state.matrix, &state.clips)
    case "gs":
      guard let name = operands[0].name, let named = objects.resolved(resources["ExtGState"])?.entries,
        let entries = objects.resolved(named[name])?.entries
      else { return false }
      return entries.allSatisfy { isPlain($0.key, objects.resolved($0.value)) }
    case "Tr":
      state.isTextHidden = operands[0].integer == 3
      return true
    case "Tf":
      guard let name = operands[0].name, let fonts = objects.resolved(resources["Font"])?.entries,
        let font = objects.resolved(fonts[name])?.entries,
        let kind = font["Subtype"]?.name
      else { return false }
      state.hidesText = ["Type0", "Type1", "TrueType", "MMType1"].contains(kind)
      return true
    case "Tj", "TJ", "'", "\"":
      return state.isTextHidden && state.hidesText
    case "Do":
      guard let name = operands[0].name, let named = objects.resolved(resources["XObject"])?.entries,
        let stream = objects.stream(named[name])
      else { return false }
      return draw(stream, resources, state, depth: depth)
    default:
      return false
    }
  }

  /// Whether a graphics state parameter has no effect on opaque images.
  private func isPlain(_ name: String, _ value: PDFValue?) -> Bool {
    switch name {
    case "Type", "SA", "OP", "op", "OPM", "AIS", "LW", "LC", "LJ", "ML", "D", "FL", "SM", "TK": true
    case "ca", "CA": value?.number == 1
    case "BM": value?.name == "Normal" || value?.name == "Compatible"
    case "SMask": value?.name == "None"
    default: false
    }
  }

  private mutating func draw(
    _ stream: PDFStream, _ resources: [String: PDFValue], _ state: State, depth: Int
  ) -> Bool {
    if objects.resolved(stream.entries["Subtype"])?.name == "Image" {
      guard found == nil, let image = ScanImage(stream, resources, objects),
        state.isBlack || !image.isStencil
      else { return false }
      found = Found(image: image, matrix: state.matrix, clips: state.clips)
      return true
    }
    forms += 1
    guard objects.resolved(stream.entries["Subtype"])?.name == "Form", depth < Self.deepestForm,
      forms <= Self.mostForms, stream.entries.keys.allSatisfy(Self.form.contains),
      let bytes = stream.unpacked(most: Self.longest), let box = objects.resolved(stream.entries["BBox"])?.list
    else { return false }
    var inner = state
    if let own = stream.entries["Matrix"] {
      guard let list = objects.resolved(own)?.list, let matrix = Matrix(list) else { return false }
      inner.matrix = matrix.followed(by: state.matrix)
      guard inner.matrix.isUsable else { return false }
    }
    let corners = box.compactMap { objects.resolved($0)?.number }
    guard corners.count == 4, box.count == 4,
      let clip = inner.matrix.area(corners[0], corners[1], corners[2] - corners[0], corners[3] - corners[1])
    else { return false }
    inner.clips.append(clip)
    let own = stream.entries["Resources"].map { objects.resolved($0)?.entries }
    guard let own = own ?? resources else { return false }
    return read(bytes, own, inner, depth: depth + 1)
  }
}

/// A path that is not painted: it may clip to a rectangle.
private struct Path {
  private var rectangle: Area?
  private var isEmpty = true
  private var isRectangle = false
  private var cuts = false

  mutating func take(_ word: String, _ operands: [PDFValue], _ matrix: Matrix, _ clips: inout [Area]) -> Bool {
    switch word {
    case "re":
      let numbers = operands.compactMap(\.number)
      guard numbers.count == 4 else { return false }
      rectangle = matrix.area(numbers[0], numbers[1], numbers[2], numbers[3])
      isRectangle = isEmpty && rectangle != nil
      isEmpty = false
    case "W", "W*":
      cuts = true
    case "n":
      if cuts {
        guard isRectangle, let rectangle, clips.count < 64 else { return false }
        clips.append(rectangle)
      }
      self = Path()
    default:
      isEmpty = false
      isRectangle = false
    }
    return true
  }
}
