import PDF
import Testing

@testable import Documents

@Suite("Documents: pages found again") struct PageSearchTests {
  private static func placement(
    _ page: Int, of old: [String?], to new: [String?], labels: (old: [String?], new: [String?]) = ([], []),
    knowsOld: Bool = true
  ) -> PagePlacement {
    let before = AnchorText(old, labels: labels.old)
    let after = AnchorText(new, labels: labels.new)
    let anchor = PageAnchor(
      page: page, hash: before.pages[page].hash, beginning: String((old[page] ?? "").prefix(200)),
      label: before.pages[page].label)
    let succession = knowsOld ? PageSuccession(from: before, to: after) : PageSuccession()
    return PageSearch(text: after, succession: succession).placement(of: anchor)
  }

  private static let pages = (1...5).map { number in
    "Chapter \(number) begins with its own words \(String(repeating: "\(number * 7) ", count: 20))and so on.\nFooter"
  }

  @Test("the text of a page that cannot be loaded is unknown, and that of an empty page is empty")
  func unloadable() {
    func page(_ number: Int, _ text: String, _ placement: PageText.Placement) -> PageText {
      PageText(page: number, text: text, placement: placement, boxes: [], unit: 1)
    }
    let texts = [page(0, "one", .characters), page(1, "", .unavailable), page(2, "", .characters)]
    #expect(FileText(texts, count: 4).pages.map { $0?.text } == ["one", nil, "", nil])
  }

  @Test("a page is found by its text wherever it stands now")
  func moved() {
    for knowsOld in [true, false] {
      #expect(
        Self.placement(2, of: Self.pages, to: Self.pages, knowsOld: knowsOld) == .found(.exact, page: 2, score: 1))
      let new = ["Preface"] + Self.pages
      #expect(Self.placement(2, of: Self.pages, to: new, knowsOld: knowsOld) == .found(.moved, page: 3, score: 1))
      let fewer = Array(Self.pages.dropFirst(2))
      #expect(Self.placement(4, of: Self.pages, to: fewer, knowsOld: knowsOld) == .found(.moved, page: 2, score: 1))
      #expect(Self.placement(1, of: Self.pages, to: fewer, knowsOld: knowsOld) == .lost(.missing))
    }
  }

  @Test("a page whose end was edited is found by its beginning, one whose beginning was by most of its text")
  func edited() {
    var new = Self.pages
    new[1] = new[1].replacing("and so on", with: "and so forth")
    guard case .found(.fuzzy, page: 1, let score) = Self.placement(1, of: Self.pages, to: new) else {
      Issue.record("not found")
      return
    }
    #expect(score > 0.85)
    new = Self.pages
    new[3] = "A title that was put in.\n" + new[3]
    guard case .found(.fuzzy, page: 3, _) = Self.placement(3, of: Self.pages, to: new) else {
      Issue.record("not found")
      return
    }
  }

  @Test("pages that are alike are told apart by label, by number, and else not at all")
  func alike() {
    let form = "Name:\nDate:\nSignature:"
    let old = ["cover", form, form]
    let labels: [String?] = ["i", "1", "2"]
    let new = ["cover", "a page put in", form, form]
    let found = Self.placement(
      2, of: old, to: new, labels: (labels, ["i", "ii", "1", "2"]), knowsOld: false)
    #expect(found == .found(.moved, page: 3, score: 1))
    #expect(Self.placement(1, of: old, to: new, knowsOld: false) == .lost(.ambiguous))
    // The pages around tell.
    #expect(Self.placement(1, of: old, to: new) == .found(.moved, page: 2, score: 1))
  }

  @Test("a scan is found by its label, else by its number, and says how little that proves")
  func scans() {
    let old: [String?] = [nil, "", nil]
    guard
      case .found(.fuzzy, page: 2, let both) = Self.placement(
        2, of: old, to: old, labels: (["a", "b", "c"], ["a", "b", "c"])),
      case .found(.fuzzy, page: 0, let label) = Self.placement(
        2, of: old, to: old, labels: (["a", "b", "c"], ["c", "d", "e"])),
      case .found(.fuzzy, page: 1, let number) = Self.placement(1, of: old, to: old)
    else {
      Issue.record("not found")
      return
    }
    #expect(both > label && label > number && number > 0)
    #expect(Self.placement(2, of: old, to: [nil, nil]) == .lost(.missing))
  }
}
