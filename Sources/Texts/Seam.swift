import Kit
import Store

struct DeskStub {
  func locate(
    _ targets: [TextTarget], for caller: FeatureCaller, virtual: Bool
  ) async throws -> [TextLocation?] {
    try await caller.services.library.read(as: caller) { snapshot in
      try targets.map { target in
        try TextPlaces(snapshot).place(of: target).map { TextLocation(uri: $0.path.uri, line: $0.line) }
      }
    }
  }
  func path(of uri: String) -> TextPath? { TextPath(uri: uri) }
}
extension Services { var desk: DeskStub { DeskStub() } }
