import Foundation
import TestSupport
import Testing
import Wire

@Suite("The page's photos", .timeLimit(.minutes(10)))
struct WebPhotoTests {
  @Test("a photo that is dropped is stored by its name, shown in its type, and drawn small; anything else is saved")
  func photo() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let photo = [UInt8](Data(base64Encoded: SamplePicture.jpeg) ?? Data())
    let upload = WebBridge.file("files/add", [:], "&name=walk.jpg")
    let stored = try await bridge.request("PUT", upload, session, body: photo)
    #expect(stored.status == 200, "\(stored.text)")
    let file = try JSONParser.parse(stored.text)
    let id = try #require(file["id"])
    #expect(file["name"] == "walk.jpg" && file["takenOn"] == "2020-12-22")
    func get(_ method: String, _ id: JSONValue) async throws -> WebReply {
      try await bridge.request("GET", WebBridge.file(method, ["id": id]), session)
    }
    let content = try await get("files/content", id)
    #expect(content.body == photo && content["content-type"] == "image/jpeg" && content["content-disposition"] == nil)
    let small = try await get("files/thumbnail", id)
    #expect(small.status == 200 && small["content-type"] == "image/png")
    // HTML is never shown, whatever its name.
    let script = Array("<script>alert(1)</script>".utf8)
    let page = try await bridge.request("PUT", WebBridge.file("files/add", [:], "&name=a.jpg"), session, body: script)
    let other = try #require(try JSONParser.parse(page.text)["id"])
    let saved = try await get("files/content", other)
    #expect(saved["content-type"] == "application/octet-stream" && saved["content-disposition"] == "attachment")
    #expect(try await get("files/thumbnail", other).status == 404)
    // A call that stores something is no image's.
    #expect(try await bridge.request("GET", WebBridge.file("files/add", ["data": "YQ=="]), session).status == 405)
  }
}
