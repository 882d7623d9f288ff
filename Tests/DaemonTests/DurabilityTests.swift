import Client
import Features
import Foundation
import TestSupport
import Testing
import Wire

/// Promise 4: a reply to a write means that the data is on disk. Watched from outside, with strace.
@Suite(
  .serialized, .enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed: scripts/install does it"))
struct DurabilityTests {
  @Test("no reply to a write leaves before the log is synced, nor a file's row before the file and its folders")
  func order() async throws {
    let folder = TemporaryFolder()
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "first"])["id"])
    for number in 0..<20 { _ = try await client.call("toys/add", ["title": .string("toy \(number)")]) }
    _ = try await client.call("toys/attach", ["id": id, "text": "bytes of a file"])
    await client.close()
    await daemon.stop()
    let events = try Trace(log: log).events
    var isDirty = false
    var told: Int64 = 0
    var path: [String] = []
    for event in events {
      switch event {
      case .write(let file, _, _) where file.hasSuffix("-wal"): isDirty = true
      case .synced(let file) where file.hasSuffix("-wal"):
        isDirty = false
        path.append("log")
      case .synced(let file) where file.contains("/parts/"): path.append("file")
      case .renamed(_, let target) where target.contains("/blobs/"): path.append("renamed")
      case .synced(let file) where file.hasSuffix("/blobs"): path.append("folders")
      case .synced(let file) where file.contains("/blobs/"): path.append("folder")
      case .sent(let bytes):
        let clock = newestClock(in: bytes)
        guard clock > told else { continue }
        told = clock
        // One client that waits for each reply: nothing else can have written since.
        #expect(!isDirty, "the reply with clock \(clock) left before the log was synced")
        if clock < 22 { path = [] }
      default: break
      }
    }
    #expect(told == 22)
    let steps = path.reduce(into: [String]()) { steps, step in
      if steps.last != step { steps.append(step) }
    }
    #expect(steps.prefix(5) == ["file", "renamed", "folder", "folders", "log"])
  }

  @Test("writes that wait together share few syncs")
  func sharedSyncs() async throws {
    let folder = TemporaryFolder()
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let client = try await daemon.client()
    for _ in 0..<4 {
      let replies = (0..<64).map { client.send("toys/add", ["title": .string("toy \($0)")]) }
      for reply in replies { _ = try await reply.value() }
    }
    #expect(try await client.call("session/sync").clock == 256)
    await client.close()
    await daemon.stop()
    let syncs = try Trace(log: log).events.filter { event in
      if case .synced(let file) = event { file.hasSuffix("-wal") } else { false }
    }
    #expect(syncs.count < 80, "256 writes, 64 at a time, took \(syncs.count) syncs")
  }

  @Test("a library rebuilt from nothing but what was synced, at any moment, is whole and has every acknowledged write")
  func tornStates() async throws {
    let folder = TemporaryFolder()
    let first = try await DaemonProcess(in: folder)
    await first.stop()
    let base = folder.file("base")
    try copyFolder(folder.file("library"), to: base)
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let clients = try await [daemon.client(name: "a"), daemon.client(name: "b")]
    for round in 0..<12 {
      let replies = clients.flatMap { client in
        (0..<6).map { client.send("toys/add", ["title": .string("toy \(round) \($0)"), "body": "독서 reading"]) }
      }
      for reply in replies { _ = try await reply.value() }
    }
    for client in clients { await client.close() }
    await daemon.stop()
    let events = try Trace(log: log).events
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var points = (0..<200).map { _ in Int.random(in: 0...events.count, using: &random) }.sorted()[...]
    // The daemon that closed it had synced both.
    var disk = Disk(
      synced: ["library.sqlite", "library.sqlite-wal"].reduce(into: [:]) {
        $0[$1] = FileManager.default.contents(atPath: base + "/" + $1).map { [UInt8]($0) }
      })
    var told: Int64 = 0
    for (index, event) in events.enumerated() {
      while let point = points.first, point <= index {
        points.removeFirst()
        try verify(disk.afterPowerCut(&random), told: told, label: "seed \(seed), event \(point)")
      }
      disk.apply(event)
      if case .sent(let bytes) = event { told = max(told, newestClock(in: bytes)) }
    }
    #expect(told == 144)
  }

  /// Opens what a disk would hold and looks whether all of it is there.
  private func verify(_ files: [String: [UInt8]], told: Int64, label: String) throws {
    let folder = TemporaryFolder()
    for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder.file(name))) }
    let facts = try LibraryFacts(database: folder.file("library.sqlite"))
    #expect(facts.findings == ["ok"], "\(label)")
    #expect(facts.clock >= told, "\(label): a reply had carried \(told)")
    #expect(facts.newestCommit == facts.clock && Int64(facts.commits) == facts.clock, "\(label)")
    #expect(Int64(facts.toys) == facts.clock, "\(label)")
  }

  private func newestClock(in bytes: [UInt8]) -> Int64 {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.matches(of: /"clock":(\d+)/).compactMap { Int64($0.output.1) }.max() ?? 0
  }
}

/// Two files as a disk holds them: what was synced for certain, and what was written since, perhaps.
private struct Disk {
  private struct File {
    var synced: [UInt8] = []
    var pending: [Trace.Event] = []
  }

  private var files: [String: File] = [:]

  init(synced: [String: [UInt8]]) {
    files = synced.mapValues { File(synced: $0) }
  }

  mutating func apply(_ event: Trace.Event) {
    switch event {
    case .write(let file, _, _), .truncate(let file, _):
      if let name = name(file) { files[name, default: File()].pending.append(event) }
    case .synced(let file):
      guard let name = name(file), var known = files[name] else { return }
      for event in known.pending { Self.apply(event, to: &known.synced) }
      known.pending = []
      files[name] = known
    case .renamed, .sent: break
    }
  }

  /// What was synced, and of the rest whatever chance lets through, a write perhaps in part.
  func afterPowerCut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
    // Half of the time nothing but what was synced.
    let isStrict = Bool.random(using: &random)
    return files.mapValues { file in
      var bytes = file.synced
      for event in file.pending where !isStrict && Bool.random(using: &random) {
        if case .write(let name, let offset, let data) = event, Bool.random(using: &random) {
          let sectors = Int.random(in: 0...(data.count / 512), using: &random)
          Self.apply(.write(file: name, offset: offset, bytes: Array(data.prefix(sectors * 512))), to: &bytes)
        } else {
          Self.apply(event, to: &bytes)
        }
      }
      return bytes
    }
  }

  private func name(_ path: String) -> String? {
    ["library.sqlite", "library.sqlite-wal"].first { path.hasSuffix("/library/" + $0) }
  }

  private static func apply(_ event: Trace.Event, to bytes: inout [UInt8]) {
    switch event {
    case .write(_, let offset, let data):
      if bytes.count < offset + data.count {
        bytes += [UInt8](repeating: 0, count: offset + data.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + data.count, with: data)
    case .truncate(_, let length):
      if length < bytes.count {
        bytes.removeLast(bytes.count - length)
      } else {
        bytes += [UInt8](repeating: 0, count: length - bytes.count)
      }
    case .synced, .renamed, .sent: break
    }
  }
}
