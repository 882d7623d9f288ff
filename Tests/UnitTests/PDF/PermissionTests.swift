import Foundation
import PDF
import TestSupport
import Testing

@Suite("What a document allows")
struct PermissionTests {
  private typealias Permissions = DocumentInfo.Permissions

  /// A page, encrypted for nobody, of which only what is allowed differs. Made by
  /// `qpdf --static-id --allow-weak-crypto --encrypt "" owner 128 --annotate=n` and the like.
  private static func file(_ permissions: Int, user: String) -> [UInt8] {
    let objects = [
      "<</Pages 2 0 R/Type/Catalog>>", "<</Count 1/Kids[3 0 R]/Type/Pages>>",
      "<</MediaBox[0 0 9 9]/Parent 2 0 R/Type/Page>>",
      """
      <</Filter/Standard/Length 128/O<566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5>/P \(permissions)\
      /R 3/U<\(user)0122456a91bae5134273a6db134c87c4>/V 2>>
      """,
    ]
    var text = "%PDF-1.4\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    let id = "<31415926535897932384626433832795>"
    text +=
      "xref\n0 5\n\(table)trailer\n<</Root 1 0 R/Size 5/ID[\(id)\(id)]/Encrypt 4 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }

  @Test("what the author of a file forbids is known by itself, as qpdf writes it")
  func permissions() async throws {
    let bench = try PDFBench()
    let cases: [(String, Int, String, Permissions)] = [
      ("annotate", -36, "7a6bc21598cf024d724d0a23e0fff778", .annotate),
      ("extract", -20, "bef56211d635125d3edfc67928d61f2b", .copy),
      ("print-low", -2_052, "70f33841caa4efb877a5bffbdb34cf0f", .printFinely),
      ("print-none", -2_056, "07e0e894026a796d9187751a5620776b", [.print, .printFinely]),
      ("modify", -12, "10a9c21634538a5b973d655ec2ef5f1f", .modify),
      ("form", -260, "65763ba84128849cccb5ad9721fc0b98", .fillForms),
      ("assemble", -1_028, "de73dcdc578d5529c7cc7a89c2319838", .assemble),
      ("accessibility", -516, "5893dd6aa17e327cb01aaa6e0c32ae5c", .extractForAccess),
    ]
    for (name, number, user, forbidden) in cases {
      let source = try bench.source(Self.file(number, user: user), named: name)
      let info = try await bench.pool.inspect(source)
      #expect(info.isEncrypted && info.permissions == Permissions.all.subtracting(forbidden), "\(name)")
      #expect(try await bench.pool.metadata(source).permissions == info.permissions, "\(name)")
    }
  }
}
