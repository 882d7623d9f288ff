import HTTP
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: who waits for a source") struct BoardStandingTests {
  @Test("a reader who joins a refresh makes it urgent, and one who asks alone is urgent from the beginning")
  func joins() async throws {
    let (bench, page) = try await BoardBench.showing([.sample(1)])
    let board = page.items[0]["board"]!
    #expect(bench.addresses.last?.priority.urgency == .interactive)
    let door = FakeSource.Door()
    bench.source.change { $0.door = door }
    let services = bench.daemon.daemon.services
    let refresh = Task {
      try await services.boardFetches.page(.first, of: board.text, with: services, isBackground: true)
    }
    await door.reached.opened()
    let priority = try #require(bench.addresses.last?.priority)
    #expect(priority.urgency == .background)
    let reader = Task { try await services.boardFetches.page(.first, of: board.text, with: services) }
    while priority.urgency == .background { await Task.yield() }
    #expect(priority.urgency == .interactive)
    bench.source.change { $0.door = nil }
    door.open.open()
    _ = try await refresh.value
    _ = try await reader.value
    await bench.stop()
  }
}
