import Client
import Daemon
import Features
import Foundation
import Store
import System
import TestSupport
import Testing
import Wire

/// A library whose lock file is removed beneath its daemon still has one owner.
@Suite struct SecondOwnerTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  private func started() async throws -> (TestDaemon, Client) {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    #expect(try await client.call("toys/add", ["title": "one"]).clock == 1)
    return (daemon, client)
  }

  /// Another daemon for the same library, with a socket of its own.
  private func second(for first: TestDaemon) async throws -> TestDaemon {
    try await TestDaemon(features: features) {
      $0.folder = LibraryFolder(first.library)
      $0.stateFolder = first.folder.file("state")
    }
  }

  @Test("a lock file that was removed or replaced is locked anew by the next write, with its owner in it")
  func lockMadeAnew() async throws {
    for isReplaced in [false, true] {
      let (daemon, client) = try await started()
      let lock = LibraryFolder(daemon.library).lock
      let owner = try #require(Ownership.owner(of: LibraryFolder(daemon.library)))
      try FileManager.default.removeItem(atPath: lock)
      if isReplaced { try Data().write(to: URL(filePath: lock)) }
      #expect(try await client.call("toys/add", ["title": "two"]).clock == 2)
      await #expect(throws: StoreError.inUse(owner: owner)) { _ = try await second(for: daemon) }
      #expect(owner.socket == daemon.socket)
      await daemon.stop()
      #expect(!Ownership.isHeld(LibraryFolder(daemon.library)))
    }
  }

  @Test("once a second owner has written, the first one refuses reads of that state at once, and ends")
  func readsOfForeignState() async throws {
    // A quick read that has a state keeps it until this owner writes; without one it meets the other's.
    for (method, hasState) in [("toys/countQuickly", false), ("toys/waitAndCount", true)] {
      let (daemon, client) = try await started()
      try FileManager.default.removeItem(atPath: LibraryFolder(daemon.library).lock)
      let other = try await second(for: daemon)
      // Nothing was written yet, so this is the state that the first owner knows.
      if hasState { #expect(try await client.call(method).count == 1) }
      #expect(try await other.client().call("toys/add", ["title": "two"]).clock == 2)
      let error = try await client.failure(method)
      #expect(error?.kind == "libraryInUse" && error?.message.contains("now owns") == true, "\(method)")
      #expect(await daemon.daemon.waitForEnd())
      #expect(daemon.logLines.count { $0.contains("taken over by another process") } == 1)
      await daemon.stop()
      #expect(try await other.client().call("toys/countQuickly").count == 2)
      await other.stop()
    }
  }

  @Test("a first owner writes nothing while there is a second one, nor after that one has written and gone")
  func writesOfFirst() async throws {
    for isGone in [false, true] {
      let (daemon, client) = try await started()
      try FileManager.default.removeItem(atPath: LibraryFolder(daemon.library).lock)
      let other = try await second(for: daemon)
      if isGone {
        #expect(try await other.client().call("toys/add", ["title": "two"]).clock == 2)
        await other.stop()
      }
      #expect(try await client.failure("toys/add", ["title": "lost"])?.kind == "libraryInUse")
      #expect(await daemon.daemon.waitForEnd())
      await daemon.stop()
      if !isGone { await other.stop() }
      let last = try await TestDaemon(features: features, in: daemon.folder)
      #expect(try await last.client().call("toys/countQuickly").count == (isGone ? 2 : 1))
      await last.stop()
    }
  }
}
