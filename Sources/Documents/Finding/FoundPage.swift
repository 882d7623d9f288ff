import PDF
import SearchEngine
import Store
import Wire

/// A page that had hits, with the data needed to show them: cached, so that the next search of the document neither
/// reads nor lays out a page again.
///
/// The text is stored as bytes; a hit and its surroundings are cut from them without conversion. Only the boxes of
/// the hit's own characters are read.
final class FoundPage: Sendable {
  private let page: Int
  /// UTF-8.
  private let text: [UInt8]
  private let isASCII: Bool
  /// The byte at which every 32nd scalar begins; empty for ASCII.
  private let marks: [UInt32]
  private static let between = 32
  /// One for each scalar, `nowhere` for blanks and for characters without extent; empty if the places are unknown.
  private let boxes: [CharacterBox]
  private let unit: Double
  private let origins: TextOrigins

  /// An empty box: it changes no minimum and no maximum.
  private static let nowhere = CharacterBox(left: .max, top: .max, right: .min, bottom: .min)

  init(_ page: PageText, as form: ComparableText.Form) {
    self.page = page.page
    text = Array(page.text.utf8)
    isASCII = text.allSatisfy { $0 < 0x80 }
    let scalars = page.text.unicodeScalars
    var (marks, boxes) = ([UInt32](), [CharacterBox]())
    let hasBoxes = page.placement == .characters && !page.boxes.isEmpty
    if hasBoxes { boxes.reserveCapacity(page.boxes.count) }
    var (byte, count) = (0, 0)
    for scalar in scalars {
      if !isASCII, count % Self.between == 0 { marks.append(UInt32(byte)) }
      if hasBoxes, count < page.boxes.count {
        let box = page.boxes[count]
        boxes.append(scalar.isBlank || box.right <= box.left || box.bottom <= box.top ? Self.nowhere : box)
      }
      byte += UTF8.width(scalar)
      count += 1
    }
    self.marks = marks
    self.boxes = page.boxes.count == count ? boxes : []
    unit = page.unit
    origins = ComparableText(page.text, as: form).origins
  }

  /// The memory it uses, in bytes.
  var size: Int {
    text.count + marks.count * 4 + boxes.count * MemoryLayout<CharacterBox>.stride + origins.size + 128
  }

  /// A hit as ranges of the text's bytes.
  private struct Hit {
    var scalars: Range<Int>
    var match: Range<Int>
    /// Where the shown text before the hit begins, and where the shown text after it ends.
    var start: Int
    var end: Int
  }

  /// An occurrence, for a client.
  func found(_ range: Range<Int>) -> FoundText {
    text.withUnsafeBufferPointer { bytes in
      let hit = hit(range, bytes)
      var quads: [[Double]] = []
      eachBox(of: hit, bytes) { quads.append($0.quad) }
      func string(_ part: Range<Int>) -> String { String(decoding: bytes[part], as: UTF8.self) }
      return FoundText(
        page: page, quads: quads, before: string(hit.start..<hit.match.lowerBound), match: string(hit.match),
        after: string(hit.match.upperBound..<hit.end))
    }
  }

  /// Occurrences as a JSON array for a client; nil if one is on a page that is not cached.
  static func json(of places: [FoundPlace], on pages: [Int: FoundPage]) -> [UInt8]? {
    var json = JSONWriter(reservingCapacity: 16 + places.count * bytesOfHit)
    json.write(byte: UInt8(ascii: "["))
    var start = 0
    while start < places.count {
      guard let page = pages[places[start].page] else { return nil }
      var end = start
      while end < places.count, places[end].page == page.page { end += 1 }
      page.write(places[start..<end], isFirst: start == 0, to: &json)
      start = end
    }
    json.write(byte: UInt8(ascii: "]"))
    return json.bytes
  }

  /// The size of most hits as JSON.
  private static let bytesOfHit = 320

  private func write(_ places: ArraySlice<FoundPlace>, isFirst: Bool, to json: inout JSONWriter) {
    text.withUnsafeBufferPointer { bytes in
      for index in places.indices {
        if !isFirst || index > places.startIndex { json.write(byte: UInt8(ascii: ",")) }
        write(hit(places[index].range, bytes), bytes, to: &json)
      }
    }
  }

  private func write(_ hit: Hit, _ bytes: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter) {
    json.beginObject()
    json.member("page", page)
    json.member("quads")
    json.write(byte: UInt8(ascii: "["))
    var isFirst = true
    eachBox(of: hit, bytes) { box in
      if !isFirst { json.write(byte: UInt8(ascii: ",")) }
      isFirst = false
      box.writeQuad(to: &json)
    }
    json.write(byte: UInt8(ascii: "]"))
    json.member("before")
    json.write(utf8: UnsafeBufferPointer(rebasing: bytes[hit.start..<hit.match.lowerBound]))
    json.member("match")
    json.write(utf8: UnsafeBufferPointer(rebasing: bytes[hit.match]))
    json.member("after")
    json.write(utf8: UnsafeBufferPointer(rebasing: bytes[hit.match.upperBound..<hit.end]))
    json.endObject()
  }

  private func hit(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Hit {
    let scalars = origins.origin(of: range)
    let start = byte(of: scalars.lowerBound, bytes)
    let end = move(start, by: scalars.count, bytes)
    return Hit(
      scalars: scalars, match: start..<end, start: back(start, by: FoundText.context, bytes),
      end: move(end, by: FoundText.context, bytes))
  }

  /// The byte so many scalars before `byte`, or the beginning.
  private func back(_ byte: Int, by count: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if isASCII { return max(0, byte - count) }
    var (byte, left) = (byte, count)
    while left > 0, byte > 0 {
      byte -= 1
      if bytes[byte] & 0xC0 != 0x80 { left -= 1 }
    }
    return byte
  }

  /// The byte at which a scalar begins.
  private func byte(of scalar: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if isASCII { return min(scalar, bytes.count) }
    let mark = scalar / Self.between
    guard mark < marks.count else { return bytes.count }
    return move(Int(marks[mark]), by: scalar % Self.between, bytes)
  }

  /// The byte so many scalars after `byte`, or the end.
  private func move(_ byte: Int, by count: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if isASCII { return min(byte + count, bytes.count) }
    var (byte, left) = (byte, count)
    while left > 0, byte < bytes.count {
      byte += 1
      while byte < bytes.count, bytes[byte] & 0xC0 == 0x80 { byte += 1 }
      left -= 1
    }
    return byte
  }

  /// The box around the characters of each line that a hit touches.
  private func eachBox(of hit: Hit, _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Box) -> Void) {
    guard hit.scalars.upperBound <= boxes.count else { return }
    var whole = Self.nowhere
    func end() {
      if whole.left < whole.right { body(Box(whole, unit: unit)) }
      whole = Self.nowhere
    }
    var byte = hit.match.lowerBound
    for scalar in hit.scalars {
      if bytes[byte] == UInt8(ascii: "\n") {
        end()
      } else {
        let box = boxes[scalar]
        whole = CharacterBox(
          left: min(whole.left, box.left), top: min(whole.top, box.top), right: max(whole.right, box.right),
          bottom: max(whole.bottom, box.bottom))
      }
      byte = move(byte, by: 1, bytes)
    }
    end()
  }
}
