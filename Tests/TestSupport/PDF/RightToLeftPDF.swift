extension SamplePDF {
  /// A page of right-to-left lines as fonts and typesetters write them: the glyphs from left to right, each vowel sign
  /// without a width before its letter. Numbers and Latin words keep their order.
  ///
  /// - Parameters:
  ///   - degrees: how far the lines are turned on the page, clockwise: 0, 90, 180 or 270.
  ///   - rotation: how far the page is turned.
  package static func rightToLeft(_ lines: [String], turned degrees: Int = 0, rotation: Int = 0) -> SamplePDF {
    let shown = lines.map { "\(showing($0)) 0 -40 Td" }
    let matrix =
      switch degrees {
      case 90: "0 -1 1 0 100 720"
      case 180: "-1 0 0 -1 540 92"
      case 270: "0 1 -1 0 512 72"
      default: "1 0 0 1 72 700"
      }
    return rightToLeft(content: "BT /T 20 Tf \(matrix) Tm \(shown.joined(separator: " ")) ET", rotation: rotation)
  }

  /// A page of such lines at places of their own, each of which is where the line begins on the left.
  package static func rightToLeft(at places: [(line: String, x: Int, y: Int)]) -> SamplePDF {
    let shown = places.map { "1 0 0 1 \($0.x) \($0.y) Tm \(showing($0.line))" }
    return rightToLeft(content: "BT /T 20 Tf \(shown.joined(separator: " ")) ET", rotation: 0)
  }

  private static func showing(_ line: String) -> String { "<\(glyphs(of: line).map(hex).joined())> Tj" }

  private static func rightToLeft(content: String, rotation: Int) -> SamplePDF {
    let font = firstOwnObject
    var sample = SamplePDF(pages: [Page(rotation: rotation, content: "/Shown Do")])
    sample.resources = "/XObject<</Shown \(font + 3) 0 R>>"
    sample.objects = [
      """
      <</Type/Font/Subtype/Type0/BaseFont/Sample/Encoding/Identity-H/DescendantFonts[\(font + 1) 0 R]\
      /ToUnicode \(font + 2) 0 R>>
      """,
      // The vowel signs of Hebrew and Arabic have no width.
      """
      <</Type/Font/Subtype/CIDFontType2/BaseFont/Sample/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>\
      /FontDescriptor \(font + 4) 0 R/DW 500/W[1425 1479 0 1611 1631 0 1648 1648 0]>>
      """,
      stream(
        """
        /CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Sample def /CMapType 2 def
        1 begincodespacerange <0000> <FFFF> endcodespacerange
        \(ranges.count) beginbfrange \(ranges.map { "<\(hex($0))> <\(hex($0 | 0xFF))> <\(hex($0))>" }.joined(separator: " "))
        endbfrange
        endcmap end end
        """),
      stream(
        content, "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</T \(font) 0 R>>>>"),
      "<</Type/FontDescriptor/FontName/Sample/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>",
    ]
    return sample
  }

  /// The first codes of the ranges of 256 that the font has: Latin, Hebrew, Arabic, and presentation forms.
  private static var ranges: [UInt16] { [0x0000, 0x0500, 0x0600, 0xFB00, 0xFC00, 0xFD00, 0xFE00] }

  /// A line's glyphs from left to right.
  private static func glyphs(of line: String) -> [UInt16] {
    var glyphs: [UInt16] = []
    var kept: [UInt16] = []
    for code in line.utf16.reversed() {
      let isKept = (0x30...0x39).contains(code) || (0x41...0x7A).contains(code) || (0x660...0x6F9).contains(code)
      if isKept && !(0x66A...0x6EF).contains(code) {
        kept.append(code)
        continue
      }
      glyphs += kept.reversed() + [code]
      kept = []
    }
    return glyphs + kept.reversed()
  }

  private static func hex(_ code: UInt16) -> String {
    let digits = String(code, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
