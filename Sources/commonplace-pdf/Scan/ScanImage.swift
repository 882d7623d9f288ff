/// An image that is decoded here: a JPEG or a fax of the plain kinds.
struct ScanImage {
  enum Form {
    case jpeg
    /// - Parameter black: the grey of its black pixels.
    case fax(black: UInt8)
  }

  /// libjpeg holds all of a progressive one in memory, six bytes a pixel.
  private static let mostPixels = 64_000_000
  private static let longestSide = 30_000
  private static let largestProfile = 4 * 1_024 * 1_024
  /// What changes a picture is understood; these do not.
  private static let known: Set<String> = [
    "Type", "Subtype", "Width", "Height", "ColorSpace", "BitsPerComponent", "Filter", "DecodeParms", "Decode", "Length",
    "Name", "Interpolate", "ImageMask", "Metadata", "StructParent", "ID", "PieceInfo", "LastModified", "DL",
  ]

  let form: Form
  let width: Int
  let height: Int
  let channels: Int
  let bytes: UnsafeRawBufferPointer
  let profile: [UInt8]?

  /// Nil for any other image.
  init?(_ stream: PDFStream, _ resources: [String: PDFValue], _ objects: PDFObjects) {
    let entries = stream.entries.mapValues { objects.resolved($0) ?? .text }
    guard entries.keys.allSatisfy(Self.known.contains), entries["Subtype"]?.name == "Image",
      let width = entries["Width"]?.integer, let height = entries["Height"]?.integer,
      1...Self.longestSide ~= width, 1...Self.longestSide ~= height, width * height <= Self.mostPixels
    else { return nil }
    switch entries["ImageMask"] {
    case nil, .boolean(false): break
    default: return nil
    }
    guard let colors = Colors(entries["ColorSpace"], resources, objects) else { return nil }
    let bits = entries["BitsPerComponent"]?.integer
    let parameters = Self.only(entries["DecodeParms"], objects)
    let isTurned: Bool
    switch entries["Decode"]?.list?.map({ $0.number ?? -1 }) {
    case nil where entries["Decode"] == nil: isTurned = false
    case [0, 1] where colors.channels == 1, [0, 1, 0, 1, 0, 1] where colors.channels == 3: isTurned = false
    case [1, 0] where colors.channels == 1: isTurned = true
    default: return nil
    }
    switch Self.only(entries["Filter"], objects)?.name {
    case "DCTDecode":
      guard bits == 8, parameters?.isNull ?? true, !isTurned else { return nil }
      form = .jpeg
    case "CCITTFaxDecode":
      guard bits == 1, colors.channels == 1, let parameters = parameters?.entries,
        let black = Self.black(parameters.mapValues { objects.resolved($0) ?? .text }, width, height)
      else { return nil }
      form = .fax(black: isTurned ? 255 - black : black)
    default:
      return nil
    }
    self.width = width
    self.height = height
    channels = colors.channels
    bytes = stream.packed
    profile = colors.profile
  }

  /// Filters and their parameters are lists of one, too.
  private static func only(_ value: PDFValue?, _ objects: PDFObjects) -> PDFValue? {
    guard let list = value?.list else { return value }
    return list.count == 1 ? objects.resolved(list[0]) : .text
  }

  /// The grey of the black pixels of a fax of group 4; nil for other kinds.
  private static func black(_ parameters: [String: PDFValue], _ width: Int, _ height: Int) -> UInt8? {
    var black: UInt8 = 0
    var columns = 1_728
    var kind = 0.0
    for (name, value) in parameters {
      switch (name, value) {
      case ("K", .number(let number)): kind = number
      case ("Columns", .number(let number)): columns = Int(exactly: number) ?? 0
      case ("Rows", .number(let number)):
        guard number == 0 || number == Double(height) else { return nil }
      case ("BlackIs1", .boolean(let isOne)): black = isOne ? 255 : 0
      case ("EndOfBlock", .boolean), ("EndOfLine", .boolean(false)), ("EncodedByteAlign", .boolean(false)),
        ("DamagedRowsBeforeError", .number), ("Type", .name):
        break
      default: return nil
      }
    }
    return kind < 0 && columns == width ? black : nil
  }

  /// The colours that a pixel's channels stand for.
  private struct Colors {
    var channels: Int
    var profile: [UInt8]?

    init?(_ value: PDFValue?, _ resources: [String: PDFValue], _ objects: PDFObjects) {
      var value = value
      // Other spaces may be put in the place of the plain ones.
      let spaces = objects.resolved(resources["ColorSpace"])?.entries ?? [:]
      if let name = value?.name, let named = spaces[name] { value = objects.resolved(named) }
      guard let value, ["DefaultGray", "DefaultRGB"].allSatisfy({ spaces[$0] == nil }) else { return nil }
      let list = value.list ?? [value]
      switch (list.first?.name, list.count) {
      case ("DeviceGray", 1): channels = 1
      case ("DeviceRGB", 1): channels = 3
      case ("ICCBased", 2):
        guard let stream = objects.stream(list[1]), let count = objects.resolved(stream.entries["N"])?.integer,
          count == 1 || count == 3, stream.entries["Range"] == nil,
          let profile = stream.unpacked(most: ScanImage.largestProfile)
        else { return nil }
        channels = count
        self.profile = profile
      default: return nil
      }
    }
  }
}
