import Display
import PDF
import Testing
import Wire

@testable import Documents

@Suite("A page that cannot be drawn")
struct UndrawablePageTests {
  @Test("The error names the page and what helps, in each language, and does not call the file damaged")
  func sentence() {
    let error = RPCError(WorkerFailure.undrawable(page: 4), source: "paper.pdf")
    #expect(error.kind == .tooLarge && error.data == ["page": 4])
    let catalogue = Catalogue()
    let english = catalogue.render(error, language: .english).message
    #expect(english.contains("Page 5 of paper.pdf cannot be rendered") && english.contains("The file is not damaged."))
    let korean = catalogue.render(error, language: .korean).message
    #expect(korean.contains("paper.pdf 5쪽") && korean.contains("손상된 것은 아닙니다"))
  }
}
