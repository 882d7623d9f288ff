import Foundation
import TestSupport
import Testing
import Wire

extension CommandLineHome {
  /// A library with a document of two pages, an entry, cards and tags.
  static func forAgents() async throws -> CommandLineHome {
    let home = CommandLineHome(hasLibrary: true)
    let lines = (1...30).map { "Sentence \($0) is about the slow river." }
    let paper = SamplePDF(pages: [.init(["A paper about rivers."]), .init(lines)])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "path=paper.pdf", "title=Rivers", "id=paper")
    _ = try await home.call("documents/addHighlight", "id=paper", "page=0", "lines=A paper about rivers.")
    _ = try await home.call("diary/add", "text=A walk along the river.", "id=walk")
    _ = try await home.call("projects/add", "title=Return the book", "id=book", "tags=errands")
    _ = try await home.call("projects/add", "title=Water the plants", "id=plants")
    return home
  }
}
