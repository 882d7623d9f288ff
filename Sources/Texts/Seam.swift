import Contract
import Kit
import Store
import Wire

struct TextTarget: Sendable {
  var collection: String
  var id: String
  var places: [StableLink.Place] = []
  var field: String?
  var offset: Int?
  init(collection: String, id: String, places: [StableLink.Place] = [], field: String? = nil, offset: Int? = nil) {
    (self.collection, self.id, self.places, self.field, self.offset) = (collection, id, places, field, offset)
  }
  init(_ link: StableLink) { self.init(collection: link.collection, id: link.item, places: link.places) }
}
struct TextLocation: Sendable {
  var uri: String
  var line: Int
  var characters: Range<Int>?
}
struct TextPath: Sendable {}
struct TextPlace {
  var path: TextPath
  var line: Int
}
struct TextItem {
  var collection: String
  var id: String
}
struct RenderedText {
  var text: String
  func item(atLine: Int) -> TextItem? { nil }
}
struct TextPlaces {
  init(_ s: Snapshot) {}
  func place(of: TextTarget) throws -> TextPlace? { nil }
  func render(_ p: TextPath) throws -> RenderedText? { nil }
}
struct DeskStub {
  func locate(_ targets: [TextTarget], for caller: FeatureCaller, virtual: Bool) async throws -> [TextLocation?] {
    targets.map { TextLocation(uri: "file:///\($0.collection)/\($0.id).md", line: 0, characters: nil) }
  }
  func path(of uri: String) -> TextPath? { nil }
}
struct AnchorsStub {
  func items(with: String, for snapshot: Snapshot) throws -> [ItemKey] { [] }
  func anchor(of: ItemKey, in: Snapshot) throws -> String? { nil }
}
extension Services {
  var desk: DeskStub { DeskStub() }
  var anchors: AnchorsStub { AnchorsStub() }
}
