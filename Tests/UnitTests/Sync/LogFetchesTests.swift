import Synchronization
import Testing

@testable import Sync

/// Fetching several files at once.
@Suite struct LogFetchesTests {
  /// A target that answers once so many requests are open.
  private final class Target: SyncTarget {
    private let state = Mutex<(open: [String], waiting: [CheckedContinuation<Void, Never>])>(([], []))
    let count: Int

    init(answeringFrom count: Int) { self.count = count }

    var requests: [String] { state.withLock(\.open) }

    func file(_ path: String, limit: Int) async throws -> [UInt8]? {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          state.open.append(path)
          state.waiting.append(continuation)
          guard state.open.count >= count else { return [] }
          defer { state.waiting = [] }
          return state.waiting
        }
        for continuation in ready { continuation.resume() }
      }
      return Array(path.utf8)
    }

    func files(in folder: String) async throws -> [(name: String, size: Int)] { [] }
    func put(_ bytes: [UInt8], at path: String) async throws {}
    func remove(at path: String) async throws {}
  }

  private static func name(_ number: Int64) -> FileName { FileName(FileID(WriterID(1), number), of: [UInt8(number)]) }

  @Test("the next files are fetched with the first one, each once, and their bytes are there when they are needed")
  func several() async throws {
    let target = Target(answeringFrom: 4)
    var fetches = LogFetches()
    let names = (1...4).map { Self.name($0) }
    fetches.keep(Array(names.dropFirst()), besides: .step(.get(names[0])))
    for (place, name) in names.enumerated() {
      fetches.keep(Array(names.dropFirst(place + 1)), besides: .step(.get(name)))
      #expect(try await fetches.bytes(of: name, from: target, limit: 100) == Array("log/\(name)".utf8))
    }
    #expect(target.requests.sorted() == names.map { "log/\($0)" }.sorted())
  }
}
