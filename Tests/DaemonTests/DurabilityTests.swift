import Client
import Features
import Foundation
import Store
import System
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
    let hash = Data(Blobs.hash(of: Array("bytes of a file".utf8)).utf8)
    var isDirty = false
    var told: Int64 = 0
    var path: [String] = []
    for event in events {
      switch event {
      case .write(let file, _, let bytes) where file.hasSuffix("-wal"):
        isDirty = true
        if Data(bytes).range(of: hash) != nil { path.append("row") }
      case .synced(let file) where file.hasSuffix("-wal"):
        isDirty = false
        // The daemon's own care syncs the log at any time.
        if path.contains("row") { path.append("log") }
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
    #expect(steps.prefix(6) == ["file", "renamed", "folder", "folders", "row", "log"])
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
    let holder = try #require(try await clients[0].call("toys/add", ["title": "it has files"])["id"])
    for round in 0..<12 {
      var replies = clients.flatMap { client in
        (0..<6).map { client.send("toys/add", ["title": .string("toy \(round) \($0)"), "body": "독서 reading"]) }
      }
      replies.append(clients[0].send("toys/attach", ["id": holder, "text": .string("file of round \(round)")]))
      for reply in replies { _ = try await reply.value() }
    }
    for client in clients { await client.close() }
    await daemon.stop()
    let events = try Trace(log: log).events
    let seed = SeededGenerator.seed
    print("200 power cuts: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let blobs = Blobs(folder: folder.file("library/blobs"))
    #expect(blobs.all().count == 12)
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
        // The product's own check takes a while, and is made at every fourth point.
        try verify(
          disk.afterPowerCut(&random), blobs: disk.blobsAfterPowerCut(&random).map { ($0, try! blobs.path(named: $0)) },
          told: told,
          wholly: points.count.isMultiple(of: 4), label: "seed \(seed), event \(point)")
      }
      disk.apply(event)
      if case .sent(let bytes) = event { told = max(told, newestClock(in: bytes)) }
    }
    #expect(told == 157)
  }

  /// Opens what a disk would hold and looks whether all of it is there.
  ///
  /// - Parameter blobs: the files that it would hold, each with a path at which its bytes lie now.
  private func verify(
    _ files: [String: [UInt8]], blobs: [(hash: String, source: String)], told: Int64, wholly: Bool, label: String
  ) throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: library.path + "/" + name)) }
    for blob in blobs {
      let target = try Blobs(folder: library.blobs).path(named: blob.hash)
      try FileManager.default.createDirectory(
        atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: blob.source, toPath: target)
    }
    let facts = try LibraryFacts(database: library.database)
    #expect(facts.findings == ["ok"], "\(label)")
    #expect(facts.clock >= told, "\(label): a reply had carried \(told)")
    #expect(facts.newestCommit == facts.clock && Int64(facts.commits) == facts.clock, "\(label)")
    #expect(facts.toys == facts.additions && facts.toys > 0 || facts.clock == 0, "\(label)")
    guard wholly else { return }
    let store = try Store.toys(in: folder, beside: AllFeatures.features)
    let report = try store.check(CheckOptions()) { _ in }
    #expect(report.findings.isEmpty, "\(label): \(report.findings)")
    store.close()
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

  /// A blob on its way: what rows may name only when both are true.
  private struct Blob {
    /// Its bytes were synced before it got its name.
    var isWhole: Bool
    var folder: String
    /// Its folder was synced since, and so was the folder above.
    var isNamed = false
    var isBelow = false
  }

  private var files: [String: File] = [:]
  private var syncedParts: Set<String> = []
  private var blobs: [String: Blob] = [:]

  init(synced: [String: [UInt8]]) {
    files = synced.mapValues { File(synced: $0) }
  }

  mutating func apply(_ event: Trace.Event) {
    switch event {
    case .write(let file, _, _), .truncate(let file, _):
      if let name = name(file) { files[name, default: File()].pending.append(event) }
    case .synced(let file) where file.contains("/parts/"): syncedParts.insert(file)
    case .synced(let file) where file.contains("/blobs/"):
      for hash in blobs.keys where blobs[hash]?.folder == file { blobs[hash]?.isNamed = true }
    case .synced(let file) where file.hasSuffix("/blobs"):
      for hash in blobs.keys { blobs[hash]?.isBelow = true }
    case .renamed(let part, let target) where target.contains("/blobs/"):
      let names = target.split(separator: "/").suffix(2)
      blobs[names.joined()] = Blob(
        isWhole: syncedParts.contains(part), folder: (target as NSString).deletingLastPathComponent)
    case .synced(let file):
      guard let name = name(file), var known = files[name] else { return }
      for event in known.pending { Self.apply(event, to: &known.synced) }
      known.pending = []
      files[name] = known
    case .appended, .made, .opened, .renamed, .sent, .syncedAll: break
    }
  }

  /// What was synced, and of the rest whatever chance lets through, a write perhaps in part.
  func afterPowerCut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
    // Half of the time nothing but what was synced.
    let isStrict = Bool.random(using: &random)
    var disk: [String: [UInt8]] = [:]
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      var bytes = file.synced
      for event in file.pending where !isStrict && Bool.random(using: &random) {
        if case .write(let name, let offset, let data) = event, Bool.random(using: &random) {
          let sectors = Int.random(in: 0...(data.count / 512), using: &random)
          Self.apply(.write(file: name, offset: offset, bytes: Array(data.prefix(sectors * 512))), to: &bytes)
        } else {
          Self.apply(event, to: &bytes)
        }
      }
      disk[name] = bytes
    }
    return disk
  }

  /// The hashes of the files that are there: those that must be, and of the others some.
  func blobsAfterPowerCut(_ random: inout SeededGenerator) -> [String] {
    // In one order, so that a seed always gives the same.
    blobs.sorted { $0.key < $1.key }.filter { _, blob in
      blob.isWhole && (blob.isNamed && blob.isBelow || Bool.random(using: &random))
    }.map(\.key)
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
    case .appended, .made, .opened, .renamed, .sent, .synced, .syncedAll: break
    }
  }
}
