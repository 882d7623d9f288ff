import Contract
import Testing
import Wire

@testable import Sync

@Suite("Synchronization: the state after a run") struct SyncStateTests {
  @Test("without a problem it is idle, without a network it waits, and else it says what the problem asks for")
  func states() {
    #expect(SyncState(after: nil) == .idle)
    #expect(SyncState(after: RPCError(.unreachable)) == .waiting)
    #expect(SyncState(after: SyncProblem.needsCode) == .needsCode)
    #expect(SyncState(after: SyncProblem.wrongCode) == .failed)
    #expect(SyncState(after: SyncProblem.needsUpgrade) == .needsUpgrade)
    #expect(SyncState(after: RPCError(.diskFull)) == .failed)
  }
}
