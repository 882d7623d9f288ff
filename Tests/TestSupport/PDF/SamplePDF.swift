/// Small PDFs written by hand, so that a test shows what it is about.
package struct SamplePDF: Sendable {
  /// A page of lines in Helvetica, which is not embedded, 24 points high.
  package struct Page: Sendable {
    package var lines: [String]
    package var width = 612
    package var height = 792
    /// Left, bottom, right, top in the unrotated page.
    package var cropBox: [Int]?
    package var rotation = 0
    /// Drawn instead of the lines.
    package var content: String?
    /// The baseline of the first line, from the unrotated page's lower left corner.
    package var origin = (x: 72, y: 700)
    /// More entries of the page, such as `/Annots[20 0 R]`.
    package var entries = ""

    package init(
      _ lines: [String] = [], width: Int = 612, height: Int = 792, cropBox: [Int]? = nil, rotation: Int = 0,
      content: String? = nil, origin: (x: Int, y: Int) = (72, 700)
    ) {
      self.lines = lines
      self.width = width
      self.height = height
      self.cropBox = cropBox
      self.rotation = rotation
      self.content = content
      self.origin = origin
    }

    /// Lines of Korean in a font that is not embedded.
    package init(korean lines: [String]) {
      let text = lines.map { line in
        let codes = line.utf16.map { unit in
          let digits = String(unit, radix: 16)
          return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "<\(codes.joined())> Tj 0 -30 Td"
      }
      self.init(content: "BT /Korean 24 Tf 72 700 Td \(text.joined(separator: " ")) ET")
    }

    fileprivate var stream: String {
      if let content { return content }
      let text = lines.map { line in
        let escaped = line.map { "()\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return "(\(escaped)) Tj 0 -30 Td"
      }
      return "BT /Latin 24 Tf \(origin.x) \(origin.y) Td \(text.joined(separator: " ")) ET"
    }
  }

  package var pages: [Page]
  package var title: String?
  package var labelPrefix: String?
  /// Two hexadecimal digits, sixteen times: its permanent /ID. Files with the same one are versions of each other.
  package var identifier = "0a"
  /// More resources of every page, such as `/XObject << … >>`, and the objects they name, from object 20 on.
  package var resources = ""
  package var objects: [String] = []
  /// More entries of the catalogue and of the information, such as `/Outlines 20 0 R`.
  package var catalog = ""
  package var information = ""

  package init(pages: [Page], title: String? = nil, labelPrefix: String? = nil) {
    self.pages = pages
    self.title = title
    self.labelPrefix = labelPrefix
  }

  package static let firstOwnObject = 20

  package var bytes: [UInt8] {
    var bodies: [Int: String] = [:]
    let firstPage = Self.firstOwnObject + objects.count
    let labels = labelPrefix.map { "/PageLabels<</Nums[0<</P(\($0))/S/r>>]>>" } ?? ""
    bodies[1] = "<</Type/Catalog/Pages 2 0 R\(labels)\(catalog)>>"
    let kids = pages.indices.map { "\(firstPage + 2 * $0) 0 R" }.joined(separator: " ")
    bodies[2] = "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>"
    bodies[3] = "<</Title(\(title ?? ""))\(information)>>"
    bodies[4] = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    bodies[5] = """
      <</Type/Font/Subtype/Type0/BaseFont/HYSMyeongJo-Medium/Encoding/UniKS-UCS2-H/DescendantFonts[6 0 R]>>
      """
    bodies[6] = """
      <</Type/Font/Subtype/CIDFontType0/BaseFont/HYSMyeongJo-Medium/FontDescriptor 7 0 R\
      /CIDSystemInfo<</Registry(Adobe)/Ordering(Korea1)/Supplement 1>>>>
      """
    bodies[7] = """
      <</Type/FontDescriptor/FontName/HYSMyeongJo-Medium/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0\
      /Ascent 880/Descent -120/CapHeight 700/StemV 80>>
      """
    for (index, object) in objects.enumerated() {
      bodies[Self.firstOwnObject + index] = object
    }
    for (index, page) in pages.enumerated() {
      let crop = page.cropBox.map { "/CropBox[\($0.map(String.init).joined(separator: " "))]" } ?? ""
      bodies[firstPage + 2 * index] = """
        <</Type/Page/Parent 2 0 R/MediaBox[0 0 \(page.width) \(page.height)]\(crop)/Rotate \(page.rotation)\
        /Contents \(firstPage + 2 * index + 1) 0 R/Resources<</Font<</Latin 4 0 R/Korean 5 0 R>>\(resources)>>\(page.entries)>>
        """
      bodies[firstPage + 2 * index + 1] = Self.stream(page.stream)
    }
    return file(bodies, information: title == nil ? "" : "/Info 3 0 R")
  }

  /// A stream object; `dictionary` holds the entries beside its length.
  package static func stream(_ content: String, _ dictionary: String = "") -> String {
    "<<\(dictionary)/Length \(content.utf8.count)>>stream\n\(content)\nendstream"
  }

  private func file(_ bodies: [Int: String], information: String) -> [UInt8] {
    var text = "%PDF-1.4\n"
    var table = "0000000000 65535 f \n"
    let last = bodies.keys.max() ?? 0
    for number in 1...last {
      guard let body = bodies[number] else {
        table += "0000000000 00000 f \n"
        continue
      }
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(number) 0 obj\n\(body)\nendobj\n"
    }
    let start = text.utf8.count
    let identifier = String(repeating: identifier, count: 16)
    text += """
      xref
      0 \(last + 1)
      \(table)trailer
      <</Size \(last + 1)/Root 1 0 R\(information)/ID[<\(identifier)><\(identifier)>]>>
      startxref
      \(start)
      %%EOF

      """
    return Array(text.utf8)
  }
}

extension SamplePDF {
  /// Korean in a font that is not embedded.
  package static func korean(_ text: String) -> SamplePDF {
    SamplePDF(pages: [Page(korean: [text])])
  }

  /// Twelve forms, each of which draws the next one ten times: the first page takes hours to draw. The second has text.
  package static var endless: SamplePDF {
    let depth = 12
    var sample = SamplePDF(pages: [Page(content: "/F0 Do"), Page(["after"])])
    for level in 0..<depth {
      let next = firstOwnObject + level + 1
      let content =
        level + 1 < depth ? String(repeating: "/F\(level + 1) Do ", count: 10) : "0 0 10 10 re f"
      let inner = level + 1 < depth ? "/XObject<</F\(level + 1) \(next) 0 R>>" : ""
      sample.objects.append(
        stream(content, "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<\(inner)>>"))
    }
    sample.resources = "/XObject<</F0 \(firstOwnObject) 0 R>>"
    return sample
  }

  /// A font whose letter is drawn with itself: poppler takes all the memory it can get.
  package static var greedy: SamplePDF {
    let font = firstOwnObject
    var sample = SamplePDF(pages: [
      Page(content: "BT /Cycle 20 Tf 2 Tr 100 500 Td (a) Tj ET"), Page(["after"]),
    ])
    sample.objects = [
      """
      <</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 97/LastChar 97\
      /Widths[1000]/CharProcs<</a \(font + 1) 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>\
      /Resources<</Font<</Cycle \(font + 2) 0 R>>>>>>
      """,
      stream("1000 0 d0 20 w 0 0 750 750 re s BT /Cycle 50 Tf (aaa) Tj ET"),
      """
      <</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 97/LastChar 97\
      /Widths[1000]/CharProcs<</a \(font + 1) 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>\
      /Resources<</Font<</Cycle \(font) 0 R>>>>>>
      """,
    ]
    sample.resources = "/Font<</Cycle \(font) 0 R/Latin 4 0 R>>"
    return sample
  }
}
