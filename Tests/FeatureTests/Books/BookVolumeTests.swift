import TestSupport
import Testing
import Wire

@Suite("Books: volumes and parts of one author") struct BookVolumeTests {
  /// What a second file with `title` comes to, when the first had `known`.
  private func report(_ title: String, author: String = "Ann Lee", after known: String) async throws -> JSONValue {
    let bench = try await BookBench()
    _ = try await bench.importing("title,authors\n\"\(known)\",Ann Lee\n", ["format": "csv"])
    let report = try await bench.importing("title,authors\n\"\(title)\",\(author)\n", ["format": "csv"])
    let counts = ["added", "updated", "known", "undecided", "skipped"].compactMap { report[$0]?.integerValue }
    #expect(counts.reduce(0, +) == 1, "\(report)")
    #expect(try await bench.client.call("books/review")["total"] == report["undecided"])
    await bench.stop()
    return report
  }

  @Test(
    "another volume, part or number is another book",
    arguments: [
      ("Berserk, Vol. 1", "Berserk, Vol. 2"), ("Berserk 1", "Berserk 2"), ("Saga, Volume One", "Saga, Volume Two"),
      ("Henry IV, Part 1", "Henry IV, Part 2"), ("토지 1", "토지 2"), ("三体 上", "三体 下"),
      ("A history of the long winter, book I", "A history of the long winter, book II"),
      ("2001 nights of the long winter story", "2002 nights of the long winter story"),
      ("Sabriel (Abhorsen, #1)", "Lirael (Abhorsen, #2)"), ("Saga (Saga, #1)", "Saga (Saga, #2)"),
    ])
  func otherVolumes(known: String, title: String) async throws {
    #expect(try await report(title, after: known)["added"] == 1)
  }

  @Test(
    "a long title of which one word differs, and a title without its author, wait for the reader",
    arguments: [
      ("alpha cfcd208495d565ef66e7dff9f98764da", "beta cfcd208495d565ef66e7dff9f98764da", "Ann Lee"),
      ("The long winter of the western river valley", "The last winter of the western river valley", "Ann Lee"),
      ("Human Acts", "Human Acts", ""), ("Saga (Saga, #2)", "Saga", "Ann Lee"),
    ])
  func doubtful(known: String, title: String, author: String) async throws {
    let report = try await report(title, author: author, after: known)
    #expect(report["known"] == 0 && report["updated"] == 0, "\(report)")
    #expect(report["undecided"] == 1, "\(report)")
  }

  @Test(
    "one volume is one book, however its number is written",
    arguments: [
      ("Berserk, Vol. 1", "Berserk, Volume 01"), ("Saga, Volume Two", "Saga Vol. II"), ("토지 제2권", "토지 2"),
      ("Human Acts", "Human acts: a novel"), ("Saga (Saga, #2)", "Saga 2"), ("Dune (Dune, #1)", "Dune"),
      ("Dune", "Dune (Dune, #1)"),
    ])
  func sameVolume(known: String, title: String) async throws {
    #expect(try await report(title, after: known)["known"] == 1)
  }

  /// When each comparison read both titles anew this took several minutes, and every other write waited for it.
  @Test(
    "a thousand volumes beside a thousand others of the same words are a thousand books, within a minute or two",
    .timeLimit(.minutes(2)))
  func manyVolumes() async throws {
    let bench = try await BookBench()
    func file(_ numbers: Range<Int>) -> String {
      "title,authors\n" + numbers.map { "Book number \($0) of all the volumes,Ann \($0) Lee\n" }.joined()
    }
    for start in [1_000, 2_000] {
      let report = try await bench.importing(file(start..<start + 1_000), ["format": "csv"])
      #expect(report["added"] == 1_000 && report["undecided"] == 0, "\(report)")
    }
    await bench.stop()
  }

  @Test("three volumes that come in one file behind the first are three books")
  func series() async throws {
    let bench = try await BookBench()
    let head = "title,authors\n\"Berserk, Vol. 1\",Kentaro Miura\n"
    _ = try await bench.importing(head, ["format": "csv"])
    let report = try await bench.importing(
      head + "\"Berserk, Vol. 2\",Kentaro Miura\n\"Berserk, Vol. 3\",Kentaro Miura\n", ["format": "csv"])
    #expect(report["known"] == 1 && report["added"] == 2, "\(report)")
    await bench.stop()
  }
}
