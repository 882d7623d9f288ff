/// A PDF whose pages are packed into a stream of objects, as most programs write them since 1.5.
package struct PackedPDF: Sendable {
  package enum Packing: CaseIterable, Sendable {
    case none, deflated, listed
    /// With parameters for the filter.
    case predicted
  }

  /// What each page says beside its size, such as `/Rotate 90`.
  package var pages: [String]
  package var packing: Packing

  package init(pages: [String], packing: Packing) {
    self.pages = pages
    self.packing = packing
  }

  package var bytes: [UInt8] {
    // 1 catalogue, 2 pages, 3 the stream, 4 the table; each page from 5 on is in the stream.
    let first = 5
    let bodies = pages.map { "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]\($0)>>\n" }
    var numbers = ""
    var length = 0
    for (index, body) in bodies.enumerated() {
      numbers += "\(first + index) \(length) "
      length += body.utf8.count
    }
    let plain = Array((numbers + bodies.joined()).utf8)
    let packed = packing == .none ? plain : ObjectsPDF.deflated(plain)
    let filter =
      switch packing {
      case .none: ""
      case .deflated: "/Filter/FlateDecode"
      case .listed: "/Filter [ /FlateDecode ]"
      case .predicted: "/Filter/FlateDecode/DecodeParms<</Predictor 1>>"
      }
    let kids = bodies.indices.map { "\(first + $0) 0 R" }.joined(separator: " ")
    var file = Array("%PDF-1.5\n".utf8)
    var table: [UInt8] = [0, 0, 0, 0]
    func begin(_ object: String) {
      table += [1, UInt8(file.count >> 8), UInt8(file.count & 0xff), 0]
      file += Array(object.utf8)
    }
    begin("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n")
    begin("2 0 obj\n<</Type/Pages/Kids[\(kids)]/Count \(bodies.count)>>\nendobj\n")
    begin(
      "3 0 obj\n<<\(filter)/Type/ObjStm/N \(bodies.count)/First \(numbers.utf8.count)/Length \(packed.count)>>stream\n")
    file += packed + Array("\nendstream\nendobj\n".utf8)
    let start = file.count
    begin("")
    for index in bodies.indices { table += [2, 0, 3, UInt8(index)] }
    file += Array(
      "4 0 obj\n<</Type/XRef/Size \(first + bodies.count)/W[1 2 1]/Root 1 0 R/Length \(table.count)>>stream\n".utf8)
    file += table + Array("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
    return file
  }
}
