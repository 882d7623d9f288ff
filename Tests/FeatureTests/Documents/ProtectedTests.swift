import Client
import Foundation
import PDF
import Store
import TestSupport
import Testing
import Wire

@testable import Documents

/// What needs a password stays in memory only.
@Suite("Documents: protected") struct ProtectedTests {
  private static let password: JSONValue = "pässwört"
  private static let data: JSONValue = .string(Data(SamplePDF.encrypted).base64EncodedString())

  /// Whether a text stands in any file below the folders.
  private static func contains(_ text: String, below folders: [String]) -> [String] {
    let wanted = Data(text.utf8)
    return folders.flatMap { folder in
      let files = FileManager.default.enumerator(atPath: folder)
      return (files?.compactMap { $0 as? String } ?? []).map { folder + "/" + $0 }
    }.filter { path in
      (try? Data(contentsOf: URL(filePath: path)))?.range(of: wanted) != nil
    }
  }

  @Test(
    "P5 without a password or with a wrong one nothing is added; with it the text and the password lie nowhere on disk")
  func nowhere() async throws {
    let bench = try await DocumentBench()
    let none = try await bench.client.failure("documents/add", ["data": Self.data])
    #expect(none?.kind == "passwordRequired")
    let wrong = try await bench.client.failure("documents/add", ["data": Self.data, "password": "guess"])
    #expect(wrong?.kind == "passwordRequired")
    #expect(none?.message.contains("data opens only with its password.") == true, "\(none?.message ?? "")")
    #expect(wrong?.message.contains("The password given does not open data.") == true, "\(wrong?.message ?? "")")
    #expect(try await bench.everything().isEmpty)
    let document = try await bench.client.call("documents/add", ["data": Self.data, "password": Self.password])
    let id = document["id"]!
    #expect(document["isProtected"] == true && document["state"] == "ready")
    #expect(try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("secret"))
    let highlight = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["secret"]])
    #expect(highlight["text"] == "secret")
    _ = try await bench.client.call("documents/toggleBookmark", ["id": id, "page": 0])
    let picture = try await bench.client.call("documents/render", ["id": id, "page": 0, "width": 200])
    #expect(picture["path"].text.hasPrefix("/dev/shm/"))
    let attributes = try FileManager.default.attributesOfItem(atPath: picture["path"].text)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let folders = [bench.daemon.library, bench.daemon.folder.file("caches"), bench.daemon.folder.file("state")]
    await bench.stop()
    #expect(!FileManager.default.fileExists(atPath: picture["path"].text))
    #expect(!FileManager.default.fileExists(atPath: (picture["path"].text as NSString).deletingLastPathComponent))
    for text in ["secret", "pässwört"] { #expect(Self.contains(text, below: folders) == []) }
    #expect(!bench.daemon.logLines.contains { $0.contains("pässwört") || $0.contains("secret") })

    // After a restart the password is asked for again; then marks have their words again.
    let again = try await DocumentBench(in: bench.daemon.folder)
    for (method, more) in [
      ("documents/text", [:]), ("documents/render", ["width": 200]),
      ("documents/select", ["from": ["x": 0, "y": 0], "to": ["x": 200, "y": 100]]),
      ("documents/toggleHighlight", ["lines": ["secret"]]),
    ] as [(String, JSONObject)] {
      var params = more
      params["id"] = id
      params["page"] = 0
      #expect(try await again.client.failure(method, .object(params))?.kind == "passwordRequired", "\(method)")
    }
    let locked = try await again.client.call("documents/highlights", ["id": id]).items
    #expect(locked.count == 1 && locked[0]["locked"] == true && locked[0]["lines"]?[0]?["quad"]?.numbers.count == 8)
    for name in ["text", "prefix", "suffix"] { #expect(locked[0][name] == nil, "\(name)") }
    #expect(locked[0]["lines"]?[0]?["text"] == nil)
    for format in ["markdown", "w3c"] as [JSONValue] {
      let export: JSONObject = ["id": id, "format": format, "inline": true]
      #expect(try await again.client.failure("documents/export", .object(export))?.kind == "passwordRequired")
      var guessed = export
      guessed["password"] = "guess"
      #expect(try await again.client.failure("documents/export", .object(guessed))?.kind == "passwordRequired")
    }
    let exported = try await again.client.call(
      "documents/export", ["id": id, "format": "markdown", "inline": true, "password": Self.password])
    let markdown = String(decoding: Data(base64Encoded: exported["data"].text) ?? Data(), as: UTF8.self)
    #expect(markdown.contains("> secret [↗]"), "\(markdown)")
    #expect(try await again.client.call("documents/highlights", ["id": id]).items[0]["locked"] == nil)
    let text = try await again.client.call("documents/text", ["id": id, "page": 0, "password": Self.password])
    #expect(text["text"].text.hasPrefix("secret"))
    #expect(try await again.client.call("documents/highlights", ["id": id]).items.map { $0["text"] } == ["secret"])
    // A wrong password gets nothing, though the document is open, and does not take the place of the right one.
    for method in ["documents/text", "documents/render"] {
      var params: JSONObject = ["id": id, "page": 0, "password": "guess"]
      if method == "documents/render" { params["width"] = 200 }
      #expect(try await again.client.failure(method, .object(params))?.kind == "passwordRequired")
    }
    _ = try await again.client.call("documents/render", ["id": id, "page": 0, "width": 300])
    // Removed and brought back, it asks for its password.
    _ = try await again.client.call("documents/remove", ["id": id])
    _ = try await again.client.call("changes/undo")
    #expect(try await again.client.failure("documents/text", ["id": id, "page": 0])?.kind == "passwordRequired")
    await again.stop()
    for text in ["secret", "pässwört"] { #expect(Self.contains(text, below: folders) == []) }
  }

  @Test("the title of a protected file lies nowhere on disk, unless index: true allows what the password protects")
  func title() async throws {
    let bench = try await DocumentBench()
    let data = JSONValue.string(Data(SamplePDF.titledAndLocked).base64EncodedString())
    var params: JSONObject = ["data": data, "password": "open"]
    let document = try await bench.client.call("documents/add", .object(params))
    #expect(document["isProtected"] == true && document["title"] != "Divorce papers" && document["title"] != "")
    let folders = [bench.daemon.library, bench.daemon.folder.file("caches"), bench.daemon.folder.file("state")]
    await bench.stop()
    #expect(Self.contains("Divorce papers", below: folders) == [])

    let indexing = try await DocumentBench()
    params["index"] = true
    let indexed = try await indexing.client.call("documents/add", .object(params))
    #expect(indexed["title"] == "Divorce papers")
    await indexing.stop()
  }

  @Test("with index: true its text is kept, and forgotten when it is removed and added again without")
  func indexed() async throws {
    let bench = try await DocumentBench()
    let folders = [bench.daemon.library]
    let params: JSONObject = ["data": Self.data, "password": Self.password]
    var indexed = params
    indexed["index"] = true
    let id = try await bench.client.call("documents/add", .object(indexed))["id"]!
    await bench.stop()
    #expect(Self.contains("secret", below: folders) != [], "the search above would find nothing, whatever is there")
    let again = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await again.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("secret"))
    _ = try await again.client.call("documents/remove", ["id": id])
    let second = try await again.client.call("documents/add", .object(params))
    #expect(second["existing"] == nil && second["id"] != id)
    #expect(
      try await again.client.call("documents/text", ["id": second["id"]!, "page": 0])["text"].text.hasPrefix("secret"))
    await again.stop()
  }

  @Test("text that is still being taken out when its document goes, and comes again without leave, is not kept")
  func belated() async throws {
    let bench = try await DocumentBench()
    let document = try await bench.client.call("documents/add", ["data": Self.data, "password": Self.password])
    let hash = document["hash"].text
    let services = bench.daemon.daemon.services
    try await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
      let text = PageText(page: 0, text: "secret of the first page", placement: .unknown, boxes: [], unit: 1)
      try Indexer.keep([text], of: hash, in: transaction)
    }
    await bench.stop()
    #expect(Self.contains("secret", below: [bench.daemon.library]) == [])
  }

  @Test("a protected document that is added again with index: true is indexed from then on")
  func indexedLater() async throws {
    let bench = try await DocumentBench()
    var params: JSONObject = ["data": Self.data, "password": Self.password]
    let id = try await bench.client.call("documents/add", .object(params))["id"]!
    params["index"] = true
    let again = try await bench.client.call("documents/add", .object(params))
    #expect(again["id"] == id && again["existing"] == true && again["state"] == "indexing")
    #expect(try await bench.indexed(id)["state"] == "ready")
    await bench.stop()
    #expect(Self.contains("secret", below: [bench.daemon.library]) != [])
    // Without its password: what lies on disk needs none.
    let restarted = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await restarted.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("secret"))
    await restarted.stop()
  }

  @Test(
    "a password opens as it was locked, however a keyboard puts its letters together",
    arguments: [
      "pässwört", "pa\u{308}sswo\u{308}rt", "p\u{AD}ässw\u{2060}ört", "\u{FF50}ässwört",
    ])
  func spelled(password: String) async throws {
    let bench = try await DocumentBench()
    let document = try await bench.client.call("documents/add", ["data": Self.data, "password": .string(password)])
    #expect(document["isProtected"] == true)
    let text = try await bench.client.call("documents/text", ["id": document["id"]!, "page": 0])
    #expect(text["text"].text.hasPrefix("secret"))
    // A letter that is another stays another.
    let other = try await bench.client.failure("documents/add", ["data": Self.data, "password": "passwört"])
    #expect(other?.kind == "passwordRequired")
    await bench.stop()
  }

  @Test("a password for a file that needs none is not kept and does not make it protected")
  func needless() async throws {
    let bench = try await DocumentBench()
    let document = try await bench.client.call(
      "documents/add", ["data": .string(SamplePDF(["open"]).base64), "password": "needless"])
    #expect(document["isProtected"] == false)
    await bench.stop()
  }
}
