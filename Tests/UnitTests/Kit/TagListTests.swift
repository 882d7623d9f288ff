import Contract
import Testing
import Wire

@testable import Kit

@Suite("Tags as they are stored") struct TagListTests {
  @Test("a tag has at most 100 scalars, without the white space around it")
  func longest() throws {
    // 50 letters that are two scalars each.
    for longest in [String(repeating: "책", count: 100), String(repeating: "e\u{301}", count: 50)] {
      #expect(try TagList.normalized(["a", " \(longest)\u{3000}"]) == ["a", longest])
      #expect(refusedField(["a", longest + "x"]) == "tags[1]")
    }
  }

  @Test(
    "a tag is one line, and no control character is in it", arguments: ["\n", "\u{85}", "\u{2028}", "\u{7F}", "\u{0}"])
  func oneLine(character: String) {
    #expect(refusedField(["a\(character)b"]) == "tags[0]")
  }

  @Test("of equal tags the first is stored; case and composition make another")
  func equal() throws {
    let tags = ["e\u{301}", "b", "\u{E9}", "B", " b "]
    #expect(try TagList.normalized(tags).map { Array($0.utf8) } == tags.dropLast().map { Array($0.utf8) })
  }

  private func refusedField(_ tags: [String]) -> String? {
    do throws(RPCError) {
      _ = try TagList.normalized(tags)
      return nil
    } catch {
      return error.data["field"]?.stringValue
    }
  }
}
