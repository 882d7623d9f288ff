import Foundation
import TestSupport
import Testing

@testable import Sync

@Suite struct SimulationTests {
  /// `scripts/test --sync 100000` for a long run. Those of the suite take about ten seconds.
  private static let count = ProcessInfo.processInfo.environment["SYNC_SCHEDULES"].flatMap { Int($0) } ?? 60

  @Test("devices that edit and sync through bad stores are equal in the end, and nothing that was written is lost")
  func schedules() {
    let first = SeededGenerator.seed
    for number in 0..<UInt64(Self.count) {
      var simulation = Simulation(seed: first &+ number)
      let failures = simulation.failures(steps: 150)
      #expect(failures.isEmpty, "COMMONPLACE_SEED=\(first &+ number) SYNC_SCHEDULES=1")
      #expect(simulation.edits > 0 && simulation.runs > 0)
    }
  }

  @Test("without a rule some schedule does not end so", arguments: OmittedRule.allCases)
  func omission(rule: OmittedRule) {
    for seed in 0..<UInt64(200) {
      var simulation = Simulation(seed: seed, omitting: rule)
      if !simulation.failures(steps: 150).isEmpty { return }
    }
    Issue.record("no schedule fails without it")
  }
}
