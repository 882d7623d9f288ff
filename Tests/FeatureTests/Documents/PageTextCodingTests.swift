import PDF
import Testing

@testable import Documents

@Suite("Documents: the text that the library keeps") struct PageTextCodingTests {
  @Test("places of characters are read from wherever their bytes lie, odd addresses too", arguments: 0..<8)
  func boxes(offset: Int) {
    let boxes = [CharacterBox(left: -1, top: 2, right: 300, bottom: .max), CharacterBox.zero]
    let bytes = [UInt8](repeating: 7, count: offset) + boxes.withUnsafeBytes { [UInt8]($0) } + [1, 2, 3]
    bytes.withUnsafeBufferPointer { bytes in
      #expect(PageTextCoding.boxes(in: UnsafeBufferPointer(rebasing: bytes[offset...])) == boxes)
    }
    #expect(PageTextCoding.boxes(in: UnsafeBufferPointer(start: nil, count: 0)) == [])
  }
}
