import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Texts: notes", .timeLimit(.minutes(10))) struct NoteTextTests {
  private func note(_ bench: TextBench, _ text: String) async throws -> JSONValue {
    try await bench.client.call("notes/add", ["text": .string(text)]).id
  }

  @Test(
    "a note is edited by its title, keeps what others changed in other lines, and is still found when it is renamed")
  func edited() async throws {
    let bench = try await TextBench()
    let id = try await note(bench, "# Dune\n\nSand.\nSpice.")
    var text = try await bench.open("notes/Dune.md")
    #expect(text.text == "# Dune\n\nSand.\nSpice.")
    _ = try await bench.client.call("notes/update", ["id": id, "text": "# Dune\n\nSand.\nMuch spice."])
    text.text = "# Arrakis\n\nSand.\nSpice.\n"
    let reply = try await bench.save(&text)
    #expect(reply["saved"] == true && reply["changed"] == 1)
    #expect(
      try await bench.client.call("notes/get", ["id": id])["text"] == "# Arrakis\n\nSand.\nMuch spice.")
    #expect(try await bench.open("notes/Arrakis.md").text == "# Arrakis\n\nSand.\nMuch spice.")
    // The former title finds it, as long as there is no other note of that title.
    #expect(try await bench.open("notes/Dune.md").text == "# Arrakis\n\nSand.\nMuch spice.")
    let blank = "\n"
    text = try await bench.open("notes/Arrakis.md")
    text.text = blank
    #expect(try await bench.save(&text)["saved"] == false)
    await bench.stop()
  }

  @Test("of two notes of one title the path says which, and each is opened by its id")
  func ambiguous() async throws {
    let bench = try await TextBench()
    let (one, two) = (try await note(bench, "Twin\none"), try await note(bench, "# Twin\ntwo"))
    let failure = try await bench.client.failure("text/open", ["uri": "commonplace:///text/notes/Twin.md"])
    #expect(failure?.kind == "ambiguous")
    for id in [one, two] { #expect(failure?.message.contains("notes/id/\(id.text).md") == true) }
    #expect(try await bench.open("notes/id/\(two.text).md").text == "# Twin\ntwo")
    let missing = try await bench.client.failure("text/open", ["uri": "commonplace:///text/notes/None.md"])
    #expect(missing?.kind == "notFound")
    await bench.stop()
  }
}
