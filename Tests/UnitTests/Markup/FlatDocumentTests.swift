import CXML
import Foundation
import Testing

/// The flat lists that documents are read into, at their bounds.
@Suite("Flat documents") struct FlatDocumentTests {
  private struct Attribute: Equatable {
    var name: String
    var space: String
    var value: String
  }

  private struct Node: Equatable {
    var name: String
    var space = ""
    var text = ""
    var end: Int
    var attributes: [Attribute] = []
  }

  private struct Document {
    var nodes: [Node]
    var bytes: Int
    var end: cxml_end
  }

  private func read(
    _ text: String, isHTML: Bool = false, nodes: Int = 100_000, depth: Int = 1_000, bytes: Int = 10 << 20,
    isCancelled: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool = { _ in false },
    context: UnsafeMutableRawPointer? = nil
  ) throws -> Document {
    try #require(cxml_load() == nil)
    let limits = cxml_limits(nodes: UInt32(nodes), depth: UInt32(depth), bytes: UInt32(bytes))
    let read = isHTML ? cxml_read_html : cxml_read_xml
    let document = try #require(read(text, text.utf8.count, limits, isCancelled, context))
    defer { cxml_free(document) }
    let found = document.pointee
    func string(_ span: cxml_span) -> String {
      guard span.count > 0 else { return "" }
      let start = UnsafeRawPointer(found.bytes + Int(span.offset))
      return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(span.count)), as: UTF8.self)
    }
    let list = (0..<Int(found.node_count)).map { index in
      let node = found.nodes[index]
      #expect(node.is_element == (node.name.count > 0))
      let attributes = (0..<Int(node.attribute_count)).map { place in
        let attribute = found.attributes[Int(node.first_attribute) + place]
        return Attribute(
          name: string(attribute.name), space: string(attribute.space), value: string(attribute.value))
      }
      return Node(
        name: string(node.name), space: string(node.space), text: string(node.text), end: Int(node.end),
        attributes: attributes)
    }
    return Document(nodes: list, bytes: Int(found.byte_count), end: found.end)
  }

  @Test("elements, texts and attributes stand in the order of the document, each with where it ends")
  func order() throws {
    let document = try read("<a x=\"1\" y=\"\"><b>one</b>two<c/></a>")
    #expect(document.end == CXML_WHOLE)
    #expect(
      document.nodes == [
        Node(
          name: "a", end: 5,
          attributes: [
            Attribute(name: "x", space: "", value: "1"), Attribute(name: "y", space: "", value: ""),
          ]),
        Node(name: "b", end: 3), Node(name: "", text: "one", end: 3), Node(name: "", text: "two", end: 4),
        Node(name: "c", end: 5),
      ])
  }

  @Test("what comes in pieces is one text, up to the next element")
  func texts() throws {
    func texts(_ content: String, isHTML: Bool = false) throws -> [String] {
      try read("<a>\(content)</a>", isHTML: isHTML).nodes.filter { $0.name.isEmpty }.map(\.text)
    }
    #expect(try texts("one&lt;two<![CDATA[<three>]]>four") == ["one<two<three>four"])
    #expect(try texts("one<b/>two") == ["one", "two"])
    #expect(try texts("<b>one</b>two<b/><b/>three") == ["one", "two", "three"])
    #expect(try texts(" \n ") == [" \n "])
    #expect(try texts("one<!-- not -->two") == ["onetwo"])
    #expect(try texts("one&lt;two&amp;three", isHTML: true) == ["one<two&three"])
    let long = String(repeating: "letters & ", count: 10_000)
    #expect(try texts(long.replacing("&", with: "&amp;")) == [long])
  }

  @Test("namespaces come by their address, and a prefix that was never declared by itself")
  func spaces() throws {
    let document = try read("<a xmlns='urn:x' xmlns:p='urn:p'><p:b p:c='1' q:d='2' e='3'/><q:f/></a>")
    #expect(document.nodes.map(\.name) == ["a", "b", "f"])
    #expect(document.nodes.map(\.space) == ["urn:x", "urn:p", "q"])
    #expect(
      document.nodes[1].attributes == [
        Attribute(name: "c", space: "urn:p", value: "1"), Attribute(name: "d", space: "q", value: "2"),
        Attribute(name: "e", space: "", value: "3"),
      ])
  }

  @Test(
    "an ampersand in a value is decoded once",
    arguments: [
      ("&amp;", "&"), ("a&amp;b", "a&b"), ("&amp;&amp;", "&&"), ("&amp;#38;", "&#38;"), ("&amp;amp;", "&amp;"),
      ("a&amp;", "a&"), ("&#38;#38;", "&#38;"), ("&lt;&amp;&gt;", "<&>"), ("", ""),
    ])
  func ampersands(written: String, value: String) throws {
    let document = try read("<a x=\"\(written)\" y=\"after\">text</a>")
    guard document.nodes.count == 2 else { return }
    #expect(document.nodes[0].attributes.map(\.value) == [value, "after"])
    #expect(document.nodes[1].text == "text")
    // Names once, and both values.
    #expect(document.bytes == "axy".utf8.count + value.utf8.count + "aftertext".utf8.count)
  }

  @Test("an attribute of HTML without a value has an empty one, and what stays open ends with the document")
  func html() throws {
    let document = try read("<div><input disabled name=x><b>bold", isHTML: true)
    let input = try #require(document.nodes.first { $0.name == "input" })
    #expect(
      input.attributes == [
        Attribute(name: "disabled", space: "", value: ""), Attribute(name: "name", space: "", value: "x"),
      ])
    let bold = try #require(document.nodes.first { $0.name == "b" })
    #expect(bold.end == document.nodes.count && document.nodes[0].end == document.nodes.count)
  }

  @Test("what an unfinished document leaves open ends with it")
  func unfinished() throws {
    #expect(try read("<a><b>one").nodes.map(\.end) == [3, 3, 3])
    #expect(try read("").nodes.isEmpty)
    #expect(try read("<a/>", depth: 0).end == CXML_TOO_DEEP)
  }

  // MARK: Bounds

  @Test("as many nodes as allowed are read, and not one more", arguments: [1, 2, 63, 64, 65, 128, 129, 500])
  func nodes(count: Int) throws {
    let text = "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>"
    for isHTML in [false] {
      let whole = try read(text, isHTML: isHTML, nodes: count)
      #expect(whole.end == CXML_WHOLE && whole.nodes.count == count)
      let cut = try read(text, isHTML: isHTML, nodes: count - 1)
      #expect(cut.end == CXML_TOO_LARGE && cut.nodes.count == count - 1)
    }
  }

  @Test("as many attributes as nodes are allowed are read, and not one more", arguments: [1, 64, 65, 300])
  func attributes(count: Int) throws {
    let text = "<a " + (0..<count).map { "x\($0)='\($0)'" }.joined(separator: " ") + "/>"
    let whole = try read(text, nodes: count)
    #expect(whole.end == CXML_WHOLE)
    #expect(whole.nodes[0].attributes.map(\.value) == (0..<count).map { "\($0)" })
    guard count > 1 else { return }
    let cut = try read(text, nodes: count - 1)
    #expect(cut.end == CXML_TOO_LARGE && cut.nodes[0].attributes.count == count - 1)
  }

  @Test("as many bytes as allowed are kept, and not one more", arguments: [1, 60, 64, 65, 5_000])
  func bytes(count: Int) throws {
    // A name, and so much text.
    let text = "<a>" + String(repeating: "x", count: count) + "</a>"
    #expect(try read(text, bytes: count + 1).end == CXML_WHOLE)
    #expect(try read(text, bytes: count + 1).bytes == count + 1)
    #expect(try read(text, bytes: count).end == CXML_TOO_LARGE)
    #expect(try read(text, bytes: 0).end == CXML_TOO_LARGE)
    let attribute = "<a b='" + String(repeating: "x", count: count) + "'/>"
    #expect(try read(attribute, bytes: count + 2).end == CXML_WHOLE)
    #expect(try read(attribute, bytes: count + 1).end == CXML_TOO_LARGE)
  }

  @Test("elements are read as deep as allowed, and no deeper", arguments: [1, 2, 10, 100])
  func depth(count: Int) throws {
    let text = String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    // Beside each other they are not deep.
    let flat = "<a>" + String(repeating: "<b></b>", count: 50) + "</a>"
    #expect(try read(text, depth: count).end == CXML_WHOLE)
    let cut = try read(text, depth: count - 1)
    #expect(cut.end == CXML_TOO_DEEP && cut.nodes.count == count - 1)
    #expect(cut.nodes.allSatisfy { $0.end == count - 1 })
    #expect(try read(flat, depth: 2).end == CXML_WHOLE)
  }

  @Test("a name that is used a thousand times is kept once, and a thousand names each keep their own")
  func names() throws {
    let same = "<a>" + String(repeating: "<long-name x='1'/>", count: 1_000) + "</a>"
    #expect(try read(same).bytes == "along-namex".utf8.count + 1_000)
    let many = (0..<1_000).map { "<n\($0) a\($0)='v'/>" }.joined()
    let document = try read("<r>\(many)\(many)</r>")
    let expected = ["r"] + (0..<1_000).map { "n\($0)" } + (0..<1_000).map { "n\($0)" }
    #expect(document.nodes.map(\.name) == expected)
    #expect(
      document.nodes.dropFirst().allSatisfy {
        $0.attributes == [Attribute(name: "a" + $0.name.dropFirst(), space: "", value: "v")]
      })
  }

  @Test("every four thousand events it is asked whether anybody still wants the document")
  func cancelled() throws {
    final class Asked {
      var count = 0
      var most = Int.max
    }
    let asked = Asked()
    let context = Unmanaged.passUnretained(asked).toOpaque()
    let text = "<a>" + String(repeating: "<b/>", count: 10_000) + "</a>"
    func document() throws -> Document {
      try read(
        text,
        isCancelled: { context in
          guard let context else { return false }
          let asked = Unmanaged<Asked>.fromOpaque(context).takeUnretainedValue()
          asked.count += 1
          return asked.count > asked.most
        }, context: context)
    }
    #expect(try document().end == CXML_WHOLE)
    #expect(asked.count == 2)
    (asked.count, asked.most) = (0, 1)
    let cut = try document()
    #expect(cut.end == CXML_CANCELLED && asked.count == 2 && (4_096..<8_192).contains(cut.nodes.count))
  }

  @Test("a document's own entities, files and addresses are not read")
  func entities() throws {
    let document = try read(
      "<!DOCTYPE a [<!ENTITY e 'text'><!ENTITY f SYSTEM 'file:///etc/hostname'>]><a>&e;&f;</a>")
    #expect(document.nodes.allSatisfy { $0.text.isEmpty })
  }

  @Test(
    "HTML's entities are known by their names",
    arguments: [("nbsp", 160), ("amp", 38), ("euro", 0x20AC), ("hearts", 0x2665), ("nope", 0), ("", 0)]
      as [(String, UInt32)])
  func names(name: String, value: UInt32) throws {
    try #require(cxml_load() == nil)
    #expect(cxml_html_entity(name) == value)
  }

  // MARK: Encodings

  private func decode(_ encoding: String, _ bytes: [UInt8], room: Int) -> (text: String?, count: Int, misfits: Int) {
    var result = [UInt8](repeating: 0xA5, count: room + 8)
    var misfits = -1
    let count = result.withUnsafeMutableBytes { result in
      bytes.withUnsafeBytes { bytes in
        cxml_decode(
          encoding, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count,
          result.assumingMemoryBound(to: CChar.self).baseAddress, room, &misfits)
      }
    }
    #expect(result[room...].allSatisfy { $0 == 0xA5 })
    return (count < 0 ? nil : String(decoding: result.prefix(count), as: UTF8.self), count, misfits)
  }

  @Test(
    "bytes become UTF-8, and each that does not fit U+FFFD; what stands behind it stays",
    arguments: [
      ("UHC", [0xC7, 0xD1, 0xB1, 0xDB], "한글", 0), ("UHC", [0xC7], "\u{FFFD}", 1),
      ("UHC", [0xC7, 0x20, 0x61], "\u{FFFD} a", 1),
      ("UHC", [0xFF, 0xFF, 0x61], "\u{FFFD}\u{FFFD}a", 2), ("UHC", [0x61, 0xC7, 0xD1, 0xC7], "a한\u{FFFD}", 1),
      ("UTF-16LE", [0x61, 0, 0xAC], "a\u{FFFD}", 1), ("CP1252", [0x80], "€", 0), ("CP1252", [], "", 0),
      ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ", 0),
    ] as [(String, [UInt8], String, Int)])
  func decoding(encoding: String, bytes: [UInt8], text: String, misfits: Int) {
    let (decoded, count, found) = decode(encoding, bytes, room: 100)
    #expect(decoded == text && found == misfits && count == text.utf8.count)
  }

  @Test("what is more than the room is an answer of its own, and so is an encoding that nobody knows")
  func room() {
    #expect(decode("UHC", [0xC7, 0xD1], room: 3).count == 3)
    #expect(decode("UHC", [0xC7, 0xD1], room: 2).count == -2)
    #expect(decode("UHC", [0xC7, 0xD1, 0xB1, 0xDB], room: 5).count == -2)
    #expect(decode("UHC", [0xFF], room: 4).count == 3)
    #expect(decode("UHC", [0xFF], room: 2).count == -2)
    #expect(decode("UHC", [0x61, 0x61, 0xFF], room: 4).count == -2)
    #expect(decode("no such encoding", [0x61], room: 10) == (nil, -1, 0))
  }

  @Test("the guessed name is cut to its room, and where there is none nothing is guessed")
  func guessedNames() {
    let bytes =
      (0xC0...0xFF).map { CChar(bitPattern: UInt8($0)) } + [32] + (0xE0...0xEF).map { CChar(bitPattern: UInt8($0)) }
    var name = [CChar](repeating: 1, count: 4)
    #expect(!cxml_detect(bytes, bytes.count, &name, 0) && name == [1, 1, 1, 1])
    let isFound = cxml_detect(bytes, bytes.count, &name, 3)
    #expect(name[3] == 1 && (!isFound || name[2] == 0))
    #expect(!cxml_detect(bytes, 0, &name, 4))
  }
}
