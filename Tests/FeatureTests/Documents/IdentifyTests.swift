import Client
import Daemon
import Features
import Foundation
import HTTP
import Kit
import TestSupport
import Testing
import Wire

@Suite("Documents: what a document is") struct IdentifyTests {
  private static let paper: JSONValue = [
    "type": "article-journal", "title": ["On the Electrodynamics of Moving Bodies"], "DOI": "10.1000/Own",
    "author": [["family": "Einstein", "given": "Albert", "affiliation": []]], "reference": [["key": "1"]],
    "issued": ["date-parts": [[1905, 6, 30]]],
  ]
  private static let cited: JSONValue = [
    "type": "article-journal", "title": "A Theory of Optical Phenomena in Ions", "DOI": "10.1000/cited",
    "author": [["family": "Lorentz", "given": "Hendrik"]],
  ]

  /// The services, all at one address.
  private struct Bench {
    let server: ScriptedServer
    let documents: DocumentBench
    var client: Client { documents.client }

    init(_ answer: @escaping @Sendable (ScriptedServer.Request) -> ServerReply) async throws {
      let server = try ScriptedServer(answer)
      self.server = server
      documents = try await DocumentBench { settings in
        settings.configure { settings in
          settings.documents.doi = server.origin + "/doi"
          settings.documents.crossref = server.origin + "/crossref"
          settings.books.google.url = server.origin + "/google"
          settings.books.openLibrary.url = server.origin + "/ol"
        }
        settings.http.allowedOrigins.formUnion([Origin(server.origin)].compactMap(\.self))
      }
    }

    func stop() async {
      await documents.stop()
      server.stop()
    }
  }

  private static func json(_ value: JSONValue, status: Int = 200) -> ServerReply {
    .text(value.description, status: status, [("Content-Type", "application/vnd.citationstyles.csl+json")])
  }

  private static let pages = SamplePDF(
    ["On the Electrodynamics of Moving Bodies", "A. Einstein", "https://doi.org/10.1000/own."],
    ["References", "H. Lorentz, A Theory of", "Optical Phenomena in Ions,", "doi:10.1000/cited"])

  @Test("the paper's own DOI comes before a cited one, and is stored when it is certain; nothing else is overwritten")
  func doi() async throws {
    let bench = try await Bench { request in
      switch request.path {
      case "/doi/10.1000/own": Self.json(Self.paper)
      case "/doi/10.1000/cited": Self.json(Self.cited)
      default: .text("{}", status: 404)
      }
    }
    let id = try await bench.documents.id(of: Self.pages, title: "scan 1")
    let found = try await bench.client.call("documents/identify", ["id": id])
    #expect(found["candidates"].list.map { $0["identifier"] } == ["10.1000/own", "10.1000/cited"])
    let best = try #require(found["candidates"].list.first)
    #expect(best["score"] == 1 && best["source"] == "page" && best["page"] == 0 && found["stored"] == false)
    #expect(best["bibliography"]?["title"] == "On the Electrodynamics of Moving Bodies")
    #expect(best["bibliography"]?["reference"] == nil && best["bibliography"]?["id"] == nil)
    #expect(bench.server.requests.first?["Accept"] == "application/vnd.citationstyles.csl+json")
    #expect(try await bench.client.call("documents/get", ["id": id])["bibliography"] == nil)

    let stored = try await bench.client.call("documents/identify", ["id": id, "store": true])
    #expect(stored["stored"] == true && stored["citationKey"] == "einstein1905")
    let document = try await bench.client.call("documents/get", ["id": id])
    #expect(document["bibliography"]?["DOI"] == "10.1000/Own" && document["title"] == "scan 1")
    // What is there stays, whatever is asked.
    let again = try await bench.client.call(
      "documents/identify", ["id": id, "store": true, "identifier": "10.1000/cited"])
    #expect(again["stored"] == false && again["candidates"].list.count == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("documents/get", ["id": id])["bibliography"] == nil)
    // A person's own choice needs no score.
    let chosen = try await bench.client.call(
      "documents/identify", ["id": id, "store": true, "identifier": "https://doi.org/10.1000/CITED"])
    #expect(chosen["stored"] == true && chosen["citationKey"] == "lorentznd")
    await bench.stop()
  }

  @Test("a cited work alone is a candidate, and never stored by itself")
  func citedOnly() async throws {
    let bench = try await Bench { request in
      request.path == "/doi/10.1000/cited" ? Self.json(Self.cited) : .text("{}", status: 404)
    }
    let id = try await bench.documents.id(
      of: SamplePDF(
        ["A text of my own about something else"], ["A Theory of", "Optical Phenomena in Ions", "10.1000/cited"]))
    let found = try await bench.client.call("documents/identify", ["id": id, "store": true])
    #expect(found["candidates"].list.count == 1 && found["stored"] == false)
    #expect(try await bench.client.call("documents/get", ["id": id])["citationKey"] == nil)
    await bench.stop()
  }

  @Test("a paper of arXiv is looked up by its DOI there, a book by its ISBN in the catalogues")
  func others() async throws {
    let bench = try await Bench { request in
      switch request.path {
      case "/doi/10.48550/arxiv.2101.00001":
        Self.json(["type": "article", "title": "Attention to Nothing", "author": [["family": "Ng", "given": "Ann"]]])
      case "/ol/isbn/9780486269573.json":
        Self.json(["key": "/books/OL1M", "title": "A Book of Verse", "publishers": ["Dover"], "publish_date": "1991"])
      default: .text("{}", status: 404)
      }
    }
    let preprint = try await bench.documents.id(
      of: SamplePDF(["Attention to Nothing", "Ann Ng", "arXiv:2101.00001v2 [cs.CL]"]))
    let first = try #require(
      try await bench.client.call("documents/identify", ["id": preprint])["candidates"].list.first)
    #expect(first["identifier"] == "arXiv:2101.00001" && first["score"] == 1)
    #expect(first["bibliography"]?["DOI"] == "10.48550/arxiv.2101.00001")
    #expect(first["bibliography"]?["number"] == "arXiv:2101.00001")
    let book = try await bench.documents.id(
      of: SamplePDF(["A Book of Verse"], ["Dover 1991", "ISBN-13: 978-0-486-26957-3"]))
    let second = try #require(try await bench.client.call("documents/identify", ["id": book])["candidates"].list.first)
    #expect(second["identifier"] == "9780486269573" && second["bibliography"]?["publisher"] == "Dover", "\(second)")
    #expect(second["bibliography"]?["ISBN"] == "9780486269573" && second["bibliography"]?["type"] == "book")
    await bench.stop()
  }

  @Test("without an identifier Crossref is asked for the title, and only works with that title are candidates")
  func title() async throws {
    let bench = try await Bench { request in
      switch request.path {
      case "/crossref/works":
        Self.json([
          "message": [
            "items": [
              ["DOI": "10.1000/other", "title": ["Something Else Entirely"]],
              ["DOI": "10.1000/own", "title": ["On the electrodynamics of moving bodies"]],
              ["DOI": "10.1000/untitled"],
            ]
          ]
        ])
      case "/doi/10.1000/own": Self.json(Self.paper)
      default: .text("{}", status: 404)
      }
    }
    let id = try await bench.documents.id(
      of: SamplePDF(["On the Electrodynamics of Moving Bodies", "A. Einstein"]),
      title: "On the Electrodynamics of Moving Bodies")
    let found = try await bench.client.call("documents/identify", ["id": id])
    #expect(found["candidates"].list.map { $0["identifier"] } == ["10.1000/own"])
    #expect(found["candidates"]?[0]?["source"] == "title" && found["candidates"]?[0]?["score"] == 0.85)
    let asked = try #require(bench.server.requests.first { $0.path == "/crossref/works" })
    #expect(asked.query["query.bibliographic"]?.hasPrefix("On the Electrodynamics of Moving Bodies") == true)
    #expect(!bench.server.requests.contains { $0.path.hasSuffix("other") })
    await bench.stop()
  }

  @Test("a service that fails is a warning beside what others know, and an error where nothing is known")
  func failures() async throws {
    let bench = try await Bench { request in
      switch request.path {
      case "/doi/10.1000/own": Self.json(Self.paper)
      case "/doi/10.1000/cited": .text("<html>", status: 200)
      default: .text("no", status: 403)
      }
    }
    let both = try await bench.documents.id(of: Self.pages)
    let found = try await bench.client.call("documents/identify", ["id": both])
    #expect(found["candidates"].list.count == 1 && found["warnings"].list.count == 1, "\(found)")
    let one = try await bench.documents.id(of: SamplePDF(["A text", "doi:10.1000/cited"]))
    let failure = try await bench.client.failure("documents/identify", ["id": one])
    #expect(failure?.kind == "badResponse", "\(String(describing: failure))")
    let none = try await bench.documents.id(of: SamplePDF(["Words"]), title: "scan")
    let empty = try await bench.client.call("documents/identify", ["id": none, "store": true])
    #expect(empty["candidates"] == [] && empty["stored"] == false && empty["warnings"] == [])
    let wrong = try await bench.client.failure("documents/identify", ["id": none, "identifier": "a novel"])
    #expect(wrong?.data?["field"] == "identifier")
    #expect(try await bench.client.failure("documents/identify", ["id": "nowhere"])?.kind == "notFound")
    await bench.stop()
  }
}
