import Contract
import Testing
import Wire

@Suite("Masking")
struct MaskingTests {
  @Test("secrets are masked wherever they stand, and nothing else") func secrets() throws {
    let params: JSONValue = ["id": "box-1", "title": "A box", "password": "hunter2", "view": "v", "places": [["x": 1]]]
    #expect(
      Shelf.update.masked(params).description
        == #"{"id":"box-1","title":"A box","password":"•••","view":"v","places":[{"x":1}]}"#)
  }

  @Test("a secret below lists, dictionaries and objects that contain themselves is masked") func nested() throws {
    struct Vault: Payload {
      var key: String
      var name: String?
      var inner: [Vault]?
      var byName: [String: Vault]?
      static let example = Vault(key: "k")
      static let fields = ["key": "k", "name": "n", "inner": "i", "byName": "b"]
      static let secrets: Set<String> = ["key"]
    }
    let value: JSONValue = [
      "key": "one", "name": "n", "inner": [["key": "two", "inner": [["key": "three", "name": "m"]]]],
      "byName": ["a": ["key": ["four"]]],
    ]
    let masked = Masking.masked(value, by: Vault.shape).description
    for secret in ["one", "two", "three", "four"] { #expect(!masked.contains(secret)) }
    #expect(masked.contains(#""name":"m""#))
  }

  @Test("what has not the form that was asked for is masked whole") func wrongForm() {
    #expect(Shelf.update.masked(["box-1", "hunter2"]) == Masking.mask)
    #expect(Shelf.update.masked(["pasword": "hunter2"]) == ["pasword": Masking.mask])
    #expect(Shelf.update.masked(["title": ["password": "hunter2"]]) == ["title": Masking.mask])
  }
}
