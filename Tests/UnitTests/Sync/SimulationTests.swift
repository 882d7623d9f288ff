import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite struct SimulationTests {
  /// `scripts/test --sync 100000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["SYNC_SCHEDULES"].flatMap { Int($0) } ?? 2_000

  @Test("devices that edit and sync through bad stores are equal in the end, and nothing that was written is lost")
  func schedules() async {
    let first = SeededGenerator.seed
    let lanes = ProcessInfo.processInfo.activeProcessorCount
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          for number in stride(from: lane, to: Self.count, by: lanes) {
            let seed = first &+ UInt64(number)
            var simulation = Simulation(seed: seed)
            let failures = simulation.failures()
            #expect(failures.isEmpty, "COMMONPLACE_SEED=\(seed) SYNC_SCHEDULES=1")
            #expect(simulation.edits > 0 && simulation.runs > 0)
          }
        }
      }
    }
  }

  @Test("without a rule some schedule does not end so", arguments: OmittedRule.allCases)
  func omission(rule: OmittedRule) {
    for seed in 0..<UInt64(200) {
      var simulation = Simulation(seed: seed, omitting: rule)
      if !simulation.failures().isEmpty { return }
    }
    Issue.record("no schedule fails without it")
  }
}
