import Foundation
import TestSupport
import Testing

@testable import commonplace

@Suite("Completion of items", .timeLimit(.minutes(1)))
struct CompletionTests {
  private func complete(_ home: CommandLineHome, _ words: [String]) async throws -> [Substring] {
    let words = ["---completion"] + words
    return try await home.run(words, changing: ["SAP_SHELL": "bash"]).output.split(separator: "\n")
  }

  @Test("offers the titles that begin so, from the daemon that runs, and starts none")
  func titles() async throws {
    let home = CommandLineHome()
    #expect(try await complete(home, ["open", "--", "positional@0", "2", "3", "commonplace", "open", "Ret"]) == [])
    #expect(home.owner == nil)
    for title in ["Return the book", "Retire $(reboot)", "Other"] {
      _ = try await home.call("projects/add", "title=\(title)", "deadline:=null")
    }
    // A shell would run what stands in a title like the second.
    let titles = try await complete(home, ["open", "--", "positional@0", "2", "3", "commonplace", "open", "Ret"])
    #expect(titles == ["Return the book"])
    // The value of a parameter that is an id, in one word or in three as bash has it.
    let call = ["call", "--", "positional@1"]
    let one = try await complete(home, call + ["3", "6", "commonplace", "call", "projects/get", "id=Ret"])
    #expect(one == ["id=Return the book"])
    let three = try await complete(home, call + ["5", "3", "commonplace", "call", "projects/get", "id", "=", "Ret"])
    #expect(three == ["Return the book"])
    #expect(try await complete(home, call + ["3", "1", "commonplace", "call", "projects/get", "i"]) == ["id="])
  }

  @Test("offers nothing that a shell would expand")
  func plain() {
    for text in ["A paper", "독서 2", "a-b_c.d", "%3"] { #expect(ItemCompletion.isPlain(text), "\(text)") }
    for text in ["$(x)", "`x`", "a;b", "a\\b", "~/x", "a\"b", "a'b", "*", "a\u{1B}b", "a:b"] {
      #expect(!ItemCompletion.isPlain(text), "\(text)")
    }
  }
}
