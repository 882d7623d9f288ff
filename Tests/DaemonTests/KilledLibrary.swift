import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// One library whose daemons are killed one after the other, each in the middle of writes of two clients. The daemon that
/// takes over says what is left, and is the next victim.
///
///     start ─ writes ─ kill ─┬─ start ─ look ─ writes ─ kill ─┬─ …
///                            └─ what was acknowledged         └─ what was acknowledged
struct KilledLibrary {
  /// What clients had been told was done when their daemon was killed.
  private struct Acknowledged {
    var toys: Set<String> = []
    /// Files, by hash.
    var files: Set<String> = []
  }

  private let folder = TemporaryFolder()
  private let name: String
  private var random: SeededGenerator

  /// The product's own check, which reads every file and the whole index, is made after so many kills.
  private static let checkedKills = 10

  init(seed: UInt64) {
    name = "library of seed \(seed)"
    random = SeededGenerator(seed: seed)
  }

  /// Kills so many daemons, and says how many writes were acknowledged by them.
  mutating func kill(times: Int) async throws -> Int {
    var daemon = try await DaemonProcess(in: folder)
    var all = Acknowledged()
    var last: Int64 = 0
    for round in 1...times {
      let told = try await kill(daemon, round: round)
      all.toys.formUnion(told.toys)
      all.files.formUnion(told.files)
      daemon = try await DaemonProcess(in: folder)
      let isLast = round == times
      let client = try await daemon.client(name: "after")
      last = try await verify(
        isLast ? all : told, newerThan: last, with: client, wholly: isLast || round % Self.checkedKills == 0,
        label: "\(name), kill \(round)")
      await client.close()
    }
    await daemon.stop()
    return all.toys.count + all.files.count
  }

  /// Writes, and kills the daemon while they are anywhere between the socket and the disk.
  private mutating func kill(_ daemon: DaemonProcess, round: Int) async throws -> Acknowledged {
    let victims = try await [daemon.client(name: "a"), daemon.client(name: "b")]
    let holder = try await victims[0].call("toys/add", ["title": "it has files"])["id"] ?? .null
    let replies = victims.enumerated().flatMap { index, client in
      (0..<30).map { number -> PendingReply in
        switch number % 6 {
        case 0: client.send("toys/addMany", ["count": 5])
        case 1: client.send("changes/undo")
        case 2, 4:
          client.send(
            "toys/attach",
            ["id": holder, "text": .string(String(repeating: "\(name) \(round) \(index) \(number) ", count: 40))])
        default: client.send("toys/add", ["title": .string("toy \(number)"), "body": .string("of round \(round)")])
        }
      }
    }
    // When a certain reply comes, or at once: then hardly anything has begun.
    if Int.random(in: 0..<8, using: &random) > 0 { _ = try? await replies.randomElement(using: &random)?.value() }
    await daemon.kill()
    var told = Acknowledged()
    for client in victims {
      _ = try await client.closed()
      for case .single(.response(_, let result?, nil)) in client.received {
        if let id = result["id"]?.stringValue { told.toys.insert(id) }
        if let hash = result["hash"]?.stringValue { told.files.insert(hash) }
      }
    }
    return told
  }

  /// Looks for what was acknowledged. Returns the newest clock.
  private func verify(
    _ told: Acknowledged, newerThan clock: Int64, with client: Client, wholly: Bool, label: String
  ) async throws -> Int64 {
    let log = try await client.call("changes/log", ["limit": 500])
    let clocks = log["items"]?.arrayValue?.map(\.clock) ?? []
    #expect(clocks == Array(((clocks.last ?? 1)...(clocks.first ?? 0)).reversed()), "\(label)")
    #expect(clocks.first ?? 0 > clock, "\(label): not even the first write is there")
    for id in told.toys {
      let history = try await client.call("changes/history", ["collection": "toys", "id": .string(id)])
      #expect(history["items"]?.arrayValue?.isEmpty == false, "\(label): \(id) was acknowledged and is gone")
    }
    let blobs = Blobs(folder: LibraryFolder(folder.file("library")).blobs)
    for hash in told.files {
      #expect(blobs.isIntact(hash), "\(label): the file \(hash) was acknowledged and is gone or half there")
    }
    if wholly {
      let report = try await client.call("library/check")
      #expect(report["ok"] == true && report["findings"] == [], "\(label)")
      #expect((report["blobs"]?.integerValue ?? 0) > 0, "\(label)")
    }
    return clocks.first ?? 0
  }
}
