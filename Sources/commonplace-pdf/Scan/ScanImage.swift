/// An image that can be decoded here: a JPEG or a fax in common formats.
struct ScanImage {
  enum Form {
    case jpeg
    /// - Parameter black: the gray value of its black pixels.
    case fax(black: UInt8)
  }

  /// The encoded bytes. libjpeg keeps all of a progressive image in memory, six bytes per pixel.
  enum Bytes {
    case file(UnsafeRawBufferPointer)
    case unpacked([UInt8])

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
      switch self {
      case .file(let bytes): body(bytes.bindMemory(to: UInt8.self))
      case .unpacked(let bytes): bytes.withUnsafeBufferPointer(body)
      }
    }
  }

  private static let mostPixels = 64_000_000
  private static let longestSide = 30_000
  private static let largestUnpacked = 32 * 1_024 * 1_024
  private static let largestProfile = 4 * 1_024 * 1_024
  /// The supported entries; an image with others may look different.
  private static let known: Set<String> = [
    "Type", "Subtype", "Width", "Height", "ColorSpace", "BitsPerComponent", "Filter", "DecodeParms", "Decode", "Length",
    "Name", "Interpolate", "ImageMask", "Metadata", "StructParent", "ID", "PieceInfo", "LastModified", "DL",
    "Intent",
  ]

  /// The rendering intents without a visible difference, with the profiles that `scan_colors` supports.
  static let intents: Set<String?> = [nil, "Perceptual", "RelativeColorimetric", "Saturation"]

  let form: Form
  /// Whether its dark pixels have the current color, and the others are transparent.
  let isStencil: Bool
  let width: Int
  let height: Int
  let channels: Int
  /// The bytes in the encoding of the last filter.
  let bytes: Bytes
  let profile: [UInt8]?

  /// Nil for an unsupported image.
  init?(_ stream: PDFStream, _ resources: [String: PDFValue], _ objects: PDFObjects) {
    let entries = stream.entries.mapValues { objects.resolved($0) ?? .text }
    guard entries.keys.allSatisfy(Self.known.contains), entries["Subtype"]?.name == "Image",
      let width = entries["Width"]?.integer, let height = entries["Height"]?.integer,
      1...Self.longestSide ~= width, 1...Self.longestSide ~= height, width * height <= Self.mostPixels
    else { return nil }
    switch entries["ImageMask"] {
    case nil, .boolean(false): isStencil = false
    case .boolean(true) where entries["ColorSpace"] == nil: isStencil = true
    default: return nil
    }
    // A stencil in black leaves the white of the page elsewhere, so that it equals a gray image.
    let space = isStencil ? .name("DeviceGray") : entries["ColorSpace"]
    guard let colors = Colors(space, resources, objects) else { return nil }
    let bits = entries["BitsPerComponent"]?.integer ?? (isStencil ? 1 : 0)
    guard Self.intents.contains(entries["Intent"].map { $0.name ?? "" }) else { return nil }
    guard var filters = Self.list(entries["Filter"], objects),
      var parameters = Self.list(entries["DecodeParms"], objects),
      parameters.isEmpty || parameters.count == filters.count, let filter = filters.popLast()?.name
    else { return nil }
    let last = parameters.popLast() ?? .null
    let isTurned: Bool
    switch entries["Decode"]?.list?.map({ $0.number ?? -1 }) {
    case nil where entries["Decode"] == nil: isTurned = false
    case [0, 1] where colors.channels == 1, [0, 1, 0, 1, 0, 1] where colors.channels == 3: isTurned = false
    case [1, 0] where colors.channels == 1: isTurned = true
    default: return nil
    }
    switch filter {
    case "DCTDecode":
      guard bits == 8, last.isNull, !isTurned, !isStencil else { return nil }
      form = .jpeg
    case "CCITTFaxDecode":
      guard bits == 1, colors.channels == 1, let parameters = last.entries,
        let black = Self.black(parameters.mapValues { objects.resolved($0) ?? .text }, width, height)
      else { return nil }
      form = .fax(black: isTurned ? 255 - black : black)
    default:
      return nil
    }
    self.width = width
    self.height = height
    channels = colors.channels
    switch filters.first?.name {
    case nil where filters.isEmpty:
      bytes = .file(stream.packed)
    case "FlateDecode":
      guard parameters.allSatisfy(\.isNull),
        let unpacked = stream.inflated(most: Self.largestUnpacked)
      else { return nil }
      bytes = .unpacked(unpacked)
    default: return nil
    }
    profile = colors.profile
  }

  /// A list with one element may be written without brackets.
  private static func list(_ value: PDFValue?, _ objects: PDFObjects) -> [PDFValue]? {
    guard let value, !value.isNull else { return [] }
    guard let list = value.list else { return [value] }
    return list.count <= 2 ? list.map { objects.resolved($0) ?? .text } : nil
  }

  /// The gray value of the black pixels of a group 4 fax; nil for other types.
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

  /// The color space of a pixel's channels.
  private struct Colors {
    var channels: Int
    var profile: [UInt8]?

    init?(_ value: PDFValue?, _ resources: [String: PDFValue], _ objects: PDFObjects) {
      var value = value
      // Resources may replace the device color spaces.
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
