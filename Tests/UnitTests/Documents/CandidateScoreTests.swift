import Exchange
import Testing

@testable import Documents

@Suite("Documents: scores of candidates") struct CandidateScoreTests {
  private func item(_ title: String, _ families: String...) -> CSLItem {
    var item = CSLItem(type: "article-journal")
    item["title"] = title
    item[names: "author"] = families.map { CSLName(family: $0, given: "A.") }
    return item
  }

  private let score = CandidateScore(
    pages: [
      "On the Electro-\ndynamics of Moving Bodies\nA. Einstein and Ø. Müller\nIt is known that Maxwell’s equations",
      "References\n[1] H. Lorentz, A Theory of Optical Phenomena in Ions, 10.1000/cited",
    ],
    titles: ["scan0001", ""])

  @Test("the document's own work is certain, a cited one is not, another one is out")
  func works() {
    let own = score.score(of: item("On the electrodynamics of moving bodies", "Einstein", "Müller"), from: .page(0))
    #expect(own == 1)
    let cited = score.score(of: item("A Theory of Optical Phenomena in Ions", "Lorentz"), from: .page(1))
    #expect(cited < CandidateScore.certain && cited > 0.5, "\(cited)")
    let other = score.score(of: item("Something Completely Different", "Nobody"), from: .page(0))
    #expect(other < 0.3, "\(other)")
  }

  @Test("without the title in the document nothing is certain, wherever the identifier is from")
  func titleless() {
    for source in [CandidateScore.Source.metadata, .given, .page(0), .page(2), .search] {
      #expect(score.score(of: item("Zur Theorie", "Einstein"), from: source) < CandidateScore.certain)
      var untitled = CSLItem(type: "book")
      untitled[names: "author"] = [CSLName(family: "Einstein")]
      #expect(score.score(of: untitled, from: source) <= 0.4)
    }
  }

  @Test("a title that only the file or the library knows counts, also a short one; a subtitle may be missing")
  func titles() {
    let scan = CandidateScore(pages: [], titles: ["Emma", "소년이 온다"])
    #expect(scan.titleScore(item("Emma")) == 1 && scan.titleScore(item("소년이 온다")) == 1)
    #expect(scan.titleScore(item("Em")) == 0)
    var whole = item("Emma: A Novel in Three Volumes")
    whole["title-short"] = "Emma"
    #expect(scan.titleScore(whole) == 1)
    #expect(scan.titleScore(item("")) == 0)
    // Nothing contradicts: all of it but the authors, who are not on any page.
    #expect(scan.score(of: item("Emma"), from: .given) == 0.88 && scan.score(of: item("Emma"), from: .search) == 0.73)
  }
}
