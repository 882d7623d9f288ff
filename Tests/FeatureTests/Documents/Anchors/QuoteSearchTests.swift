import Testing

@testable import Documents

/// Text in, placement out.
@Suite("Documents: quotes found again") struct QuoteSearchTests {
  /// A mark on the `occurrence`th place of a quote on a page, with what an anchor keeps of it.
  private static func anchor(_ quote: String, on page: Int = 0, of pages: [String], occurrence: Int = 0) -> QuoteAnchor
  {
    let scalars = Array(pages[page].unicodeScalars)
    let wanted = Array(quote.unicodeScalars)
    let starts = (0...scalars.count - wanted.count).filter { scalars[$0..<$0 + wanted.count].elementsEqual(wanted) }
    let start = starts[occurrence]
    let end = start + wanted.count
    func part(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    return QuoteAnchor(
      quote: quote, prefix: part(max(0, start - 32)..<start), suffix: part(end..<min(scalars.count, end + 32)),
      page: page, offset: start, runs: [0..<wanted.count])
  }

  private static func placement(_ quote: QuoteAnchor, from old: [String]?, to new: [String]) -> QuotePlacement {
    QuoteSearch(in: AnchorText(new), from: old.map { AnchorText($0) }).placement(of: quote)
  }

  /// What a placement says, with the text that is marked then.
  private static func summary(_ placement: QuotePlacement, in new: [String]) -> String {
    switch placement {
    case .lost(let loss): return "lost: \(loss.rawValue)"
    case .found(let outcome, let page, let runs, _):
      let scalars = Array(new[page].unicodeScalars)
      let texts = runs.map { String(String.UnicodeScalarView(scalars[$0])) }
      return "\(outcome.rawValue) \(page): \(texts.joined(separator: " … "))"
    }
  }

  private static let essay = [
    "On reading.\nA book that is read twice is another book the second time.\nWho marks a line makes it his own.\n",
    "On writing.\nNobody writes what he set out to write; the pen has a mind.\nWhat is left is edited.\n",
    "On paper.\nPaper is patient, says the proverb, and so is the reader.\nInk is not.\n",
  ]

  @Test("what was not touched is exact")
  func exact() {
    for old in [Self.essay, nil] {
      let quote = Self.anchor("the pen has a mind", on: 1, of: Self.essay)
      let placement = Self.placement(quote, from: old, to: Self.essay)
      #expect(Self.summary(placement, in: Self.essay) == "exact 1: the pen has a mind")
    }
  }

  @Test("a page put in before moves a mark with its page, though the same line stands on all pages")
  func insertedPage() {
    let old = ["top\nthe same line\nalpha", "top\nthe same line\nbeta", "top\nthe same line\ngamma"]
    let new = ["A cover."] + old
    for page in 0..<3 {
      let placement = Self.placement(Self.anchor("the same line", on: page, of: old), from: old, to: new)
      #expect(Self.summary(placement, in: new) == "moved \(page + 1): the same line")
    }
  }

  @Test("P21 the same line on three pages that are alike to the letter goes with its page, as long as pages tell where")
  func alike() {
    let page = "a heading\nthe same line\nthe end"
    let old = [page, page, page]
    let same = Self.placement(Self.anchor("the same line", on: 1, of: old), from: old, to: old)
    #expect(Self.summary(same, in: old) == "exact 1: the same line")
    let new = ["something else that comes first"] + old
    let moved = Self.placement(Self.anchor("the same line", on: 1, of: old), from: old, to: new)
    #expect(Self.summary(moved, in: new) == "moved 2: the same line")
  }

  @Test("a line that stood on three pages and is left on another one only is lost: the one left is not the marked one")
  func survivor() {
    let old = [
      "First chapter.\nTo be continued in the next part of this work.\nNothing else.",
      "Second chapter, of quite another kind.\nTo be continued in the next part of this work.\nAnd so on.",
    ]
    let new = [old[0], "Second chapter, of quite another kind.\nIt was cut here.\nAnd so on."]
    let placement = Self.placement(
      Self.anchor("To be continued in the next part of this work.", on: 1, of: old), from: old, to: new)
    #expect(placement == .lost(.missing))
  }

  @Test("several places with the same text around are ambiguous, and no guess is made")
  func ambiguous() {
    let line = "before it\nthe repeated words\nafter it\n"
    let old = ["An opening of its own, which is long enough.\n" + line]
    let new = ["Quite a different beginning of this page.\n" + line + line + line]
    let placement = Self.placement(Self.anchor("the repeated words", of: old), from: nil, to: new)
    #expect(placement == .lost(.ambiguous))
  }

  @Test("of several places the one with the text around it is taken")
  func context() {
    let old = [
      "The engine starts slowly in winter and the key sticks.\nA pump was added; the key sticks no more in summer."
    ]
    let new = [
      "New first page about nothing in particular, the key sticks everywhere.",
      "Something else. A pump was added; the key sticks no more in summer.\nThe engine starts slowly in winter and the "
        + "key sticks.",
    ]
    let placement = Self.placement(Self.anchor("the key sticks", of: old, occurrence: 1), from: old, to: new)
    #expect(Self.summary(placement, in: new) == "moved 1: the key sticks")
    guard case .found(_, let page, let runs, _) = placement else { return }
    #expect(page == 1 && runs == [34..<48])
  }

  @Test("a paragraph that was moved to another page is found, its lines broken anew, hyphens joined")
  func movedParagraph() {
    let paragraph = "Paper is patient, says the proverb, and so is the reader."
    let new = [
      Self.essay[0], "Paper is pa-\ntient, says the\nproverb, and so is the rea-\nder.\n" + Self.essay[1],
      "On paper.\nInk is not.\n",
    ]
    let placement = Self.placement(Self.anchor(paragraph, on: 2, of: Self.essay), from: Self.essay, to: new)
    #expect(
      Self.summary(placement, in: new)
        == "moved 1: Paper is pa-\ntient, says the\nproverb, and so is the rea-\nder.")
  }

  @Test("a sentence that was edited is fuzzy with a score, found by what stands around it")
  func edited() {
    let new = [
      Self.essay[0].replacing("is another book", with: "is a different book"), Self.essay[1], Self.essay[2],
    ]
    let quote = Self.anchor("A book that is read twice is another book the second time.", of: Self.essay)
    let placement = Self.placement(quote, from: Self.essay, to: new)
    guard case .found(let outcome, let page, let runs, let score) = placement else {
      Issue.record("not found")
      return
    }
    #expect(outcome == .fuzzy && page == 0 && score > 0.85 && score < 1)
    let text = Array(new[0].unicodeScalars)[runs[0]]
    #expect(String(String.UnicodeScalarView(text)) == "A book that is read twice is a different book the second time.")
  }

  @Test("a look-alike in another context is not taken")
  func lookAlike() {
    let old = ["The committee agreed.\nThe treaty was signed on the ninth of May in Vienna.\nEveryone left early."]
    let new = [
      "The committee agreed.\nEveryone left early.",
      "A note on quite another thing: The treaty was signed on the fifth of May in Verona. No more of it here.",
    ]
    let quote = Self.anchor("The treaty was signed on the ninth of May in Vienna.", of: old)
    for known in [old, nil] { #expect(Self.placement(quote, from: known, to: new) == .lost(.missing)) }
  }

  @Test("a single word that is left somewhere else is not the marked one")
  func word() {
    let old = ["The result is good, and everybody is content with what was found."]
    let new = ["Nobody is content.", "In another place we read of some result that nobody asked for at all."]
    #expect(Self.placement(Self.anchor("result", of: old), from: old, to: new) == .lost(.missing))
  }

  @Test("Korean text is found when it moves, is edited, or comes decomposed; what was removed is lost")
  func korean() {
    let old = [
      "책을 두 번 읽으면 두 번째에는 다른 책이 된다.\n줄을 긋는 사람은 그 줄을 자기 것으로 만든다.\n종이는 참을성이 많다고 속담은 말한다.\n"
    ]
    let moved = ["머리말을 새로 씁니다.\n", old[0]]
    let quote = Self.anchor("줄을 긋는 사람은 그 줄을 자기 것으로 만든다.", of: old)
    #expect(
      Self.summary(Self.placement(quote, from: old, to: moved), in: moved) == "moved 1: 줄을 긋는 사람은 그 줄을 자기 것으로 만든다.")
    let edited = [old[0].replacing("자기 것으로 만든다", with: "제 것으로 만든다")]
    guard case .found(.fuzzy, 0, _, let score) = Self.placement(quote, from: old, to: edited) else {
      Issue.record("not found")
      return
    }
    #expect(score >= 0.85 && score < 1)
    let decomposed = [old[0].decomposedStringWithCanonicalMapping]
    guard case .found(_, 0, let runs, 1) = Self.placement(quote, from: old, to: decomposed) else {
      Issue.record("not found")
      return
    }
    let text = String(String.UnicodeScalarView(Array(decomposed[0].unicodeScalars)[runs[0]]))
    #expect(text.precomposedStringWithCanonicalMapping == quote.quote)
    let removed = ["책을 두 번 읽으면 두 번째에는 다른 책이 된다.\n종이는 참을성이 많다고 속담은 말한다.\n"]
    #expect(Self.placement(quote, from: old, to: removed) == .lost(.missing))
  }

  @Test("of a highlight with a gap every part is found; the gap stays unmarked")
  func gap() {
    let page = "one line of text\nthe middle is not marked\nthree lines of text\nthe end"
    var quote = Self.anchor("one line of text\nthe middle is not marked\nthree lines of text", of: [page])
    quote.runs = [0..<16, 42..<61]
    let new = ["a new first line\n" + page]
    let placement = Self.placement(quote, from: [page], to: new)
    #expect(Self.summary(placement, in: new) == "moved 0: one line of text … three lines of text")
  }

  @Test("parts that are alike are each found at their own place")
  func alikeParts() {
    let page = "the same line\nis not marked\nthe same line\nthe end"
    var quote = Self.anchor("the same line\nis not marked\nthe same line", of: [page])
    quote.runs = [0..<13, 28..<41]
    guard case .found(_, 0, let runs, _) = Self.placement(quote, from: [page], to: ["a new first line\n" + page]) else {
      Issue.record("not found")
      return
    }
    #expect(runs == [17..<30, 45..<58])
  }

  @Test("an orphan's place is not trusted: it comes back only by its text and what stands around it")
  func orphan() {
    let old = ["alpha\nshort\nomega"]
    var quote = Self.anchor("short", of: old)
    quote.hasPlace = false
    #expect(Self.summary(Self.placement(quote, from: nil, to: old), in: old) == "moved 0: short")
    #expect(Self.placement(quote, from: nil, to: ["quite\nshort\nother"]) == .lost(.missing))
  }

  @Test("a text without anything to look for, and a document without text, lose the mark and nothing else")
  func empty() {
    let quote = QuoteAnchor(quote: " \n", prefix: "", suffix: "", page: 0, offset: 0, runs: [0..<2])
    #expect(Self.placement(quote, from: nil, to: ["anything"]) == .lost(.missing))
    let real = Self.anchor("On paper.", on: 2, of: Self.essay)
    #expect(Self.placement(real, from: Self.essay, to: ["", "", ""]) == .lost(.missing))
    #expect(Self.placement(real, from: Self.essay, to: []) == .lost(.missing))
  }
}
