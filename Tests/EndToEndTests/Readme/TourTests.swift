import Foundation
import TestSupport
import Testing
import Wire

@Suite("The README's tour", .timeLimit(.minutes(2)))
struct TourTests {
  @Test("the five minutes go as they are written")
  func fiveMinutes() async throws {
    let home = CommandLineHome()
    let paper = SamplePDF(pages: [.init(["One line."]), .init(["Another page."])])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    let blocks = Readme.blocks(in: "sh", under: "Five minutes")
    let blank = "id=…\n"
    try #require(blocks.contains { $0.hasPrefix(blank) })
    // What a reader copies from the answer before.
    let copied = #"id=$(commonplace call documents/list | sed 's/.*"items":\[{"id":"\([^"]*\)".*/\1/')"# + "\n"
    try home.place(blocks.joined().replacing(blank, with: copied), as: "tour.sh")

    let tour = try home.startProgram("env", ["bash", "-euo", "pipefail", "tour.sh"], package: "bash")
    let result = await tour.end()
    #expect(result.status == 0, "\(result.errors)")
    let answers = try result.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    try #require(answers.count == 24)
    #expect(answers[0]["title"] == "A paper")
    #expect(answers[1]["bookmarked"] == true)
    #expect(answers[2]["memo"]?["text"] == "Who wrote this?")
    #expect(answers[3]["memo"]?["text"] == "Who wrote this?")
    #expect(answers[3]["bookmarked"] == true)
    let picture = try #require(answers[4]["path"]?.stringValue)
    #expect(FileManager.default.fileExists(atPath: picture))
    #expect(answers[5]["label"] == "documents/setMemo")
    #expect(answers[6]["items"] == [])
    #expect(answers[7]["items"]?.arrayValue?.isEmpty == false)
    #expect(answers[8]["state"] == "todo" && answers[8]["display"]?["day"] != nil)
    #expect(answers[9]["state"] == "doing")
    #expect(answers[10]["columns"]?.arrayValue?.map { $0["count"] } == [0, 1, 0])
    #expect(answers[11]["title"] == "A walk along the river.")
    #expect(answers[12]["items"] == [])
    #expect(answers[13]["entries"]?.arrayValue?.count == 1)
    #expect(answers[13]["items"]?.arrayValue?.isEmpty == false)
    #expect(answers[14]["items"]?.arrayValue?.map { $0["collection"] } == [.string("projects"), .string("diary")])
    #expect(answers[15]["items"]?.arrayValue?.map { $0["id"] } == [.string("book")])
    // Tomorrow is of another week on the last day of one.
    #expect(["results", "noResults"].contains(answers[16]["state"]))
    #expect(answers[17]["titles"]?[0]?["id"] == "book" && answers[18]["title"] == "What is late")
    #expect(answers[21]["items"]?[0]?["title"] != nil && answers[22]["items"] == [])
    #expect(answers[23]["result"]?["library"] != nil)
  }
}
