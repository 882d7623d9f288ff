import Daemon
import Foundation
import TestSupport
import Testing

@testable import commonplace

@Suite("Completion of items", .timeLimit(.minutes(1)))
struct CompletionTests {
  @Test("offers the titles that begin so, from the daemon that runs, and starts none")
  func titles() async throws {
    let home = CommandLineHome()
    let words = ["---completion", "open", "--", "positional@0", "2", "3", "commonplace", "open", "Ret"]
    let none = try await home.run(words, changing: ["SAP_SHELL": "bash"])
    #expect(none.status == 0 && none.output.trimmingCharacters(in: .newlines) == "", "\(none)")
    #expect(home.owner == nil)
    for title in ["Return the book", "Retire $(reboot)", "Other"] {
      _ = try await home.call("projects/add", "title=\(title)", "deadline:=null")
    }
    // The daemon of a busy machine may take its time here.
    let items = ItemCompletion(place: try Place(Paths.Options(library: home.library.path)), patience: .seconds(30))
    // A shell would run what stands in a title like the second.
    #expect(items.matching("Ret") == ["Return the book"])
    #expect(items.matching("\"ret") == ["Return the book"])
    // The value of a parameter that is an id, in one word or in three as bash has it.
    let call = ["commonplace", "call", "projects/get"]
    #expect(ParameterNames.matching("id=Ret", in: call + ["id=Ret"], items: items) == ["id=Return the book"])
    #expect(ParameterNames.matching("Ret", in: call + ["id", "=", "Ret"], items: items) == ["Return the book"])
    #expect(ParameterNames.matching("i", in: call + ["i"], items: items) == ["id=", "ids="])
  }

  @Test("offers nothing that a shell would expand")
  func plain() {
    for text in ["A paper", "독서 2", "a-b_c.d", "%3"] { #expect(ItemCompletion.isPlain(text), "\(text)") }
    for text in ["$(x)", "`x`", "a;b", "a\\b", "~/x", "a\"b", "a'b", "*", "a\u{1B}b", "a:b"] {
      #expect(!ItemCompletion.isPlain(text), "\(text)")
    }
  }
}
