import Contract
import Foundation
import TestSupport
import Testing

@testable import Books

@Suite("Books: answers that are kept") struct AnswerCacheTests {
  @Test("an answer is found before its file is written, and by another daemon after it")
  func writtenLater() throws {
    let folder = TemporaryFolder()
    let now = try #require(Instant("2026-11-21T03:04:05.678Z"))
    let answers = AnswerCache(folder: folder.path)
    for number in 0..<3 {
      answers.store("first \(number)", "a/\(number)", at: now, part: "p\(number)")
      answers.store("answer \(number)", "a/\(number)", at: now, part: "q\(number)")
      #expect(answers.find(String.self, "a/\(number)", at: now)?.value == "answer \(number)")
    }
    answers.finish()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix(".json") }, "\(names)")
    for kept in [answers, AnswerCache(folder: folder.path)] {
      for number in 0..<3 {
        #expect(kept.find(String.self, "a/\(number)", at: now)?.value == "answer \(number)")
      }
      #expect(kept.find(String.self, "other", at: now) == nil)
    }
  }
}
