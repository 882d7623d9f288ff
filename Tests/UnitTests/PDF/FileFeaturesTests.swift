import Foundation
import TestSupport
import Testing

@testable import PDF
@testable import commonplace_pdf

@Suite("What a PDF's bytes name") struct FileFeaturesTests {
  @Test(
    "a name is seen wherever it stands, also across two pieces of the file",
    arguments: [0, 100, 1 << 18 - 16, 1 << 18 - 5, 1 << 18, 600_000 - 20])
  func names(place: Int) throws {
    let folder = TemporaryFolder()
    func features(_ name: String) throws -> [Bool] {
      var bytes = [UInt8](repeating: 0x78, count: 600_000)
      bytes.replaceSubrange(place..<place + name.utf8.count, with: name.utf8)
      let path = folder.file("\(name.hashValue)")
      try Data(bytes).write(to: URL(filePath: path))
      let features = FileFeatures(in: try Descriptor.document(at: path), nil)
      return [features.mayRotate, features.mayShowText, features.isEncrypted]
    }
    for (name, expected) in [
      ("/Rotate 90 ", [true, false, false]), ("/Rotate 0 ", [false, false, false]),
      ("/Widget ", [false, true, false]), ("/FreeText ", [false, true, false]), ("/Stamp ", [false, true, false]),
      ("/Encrypt 5 0 R", [false, false, true]), ("/Rotated", [true, false, false]),
      ("/EncryptMetadata", [false, false, false]), ("/ObjStm", [true, true, false]),
    ] { #expect(try features(name) == expected, "\(name)") }
  }
}
