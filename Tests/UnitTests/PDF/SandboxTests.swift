import Foundation
import TestSupport
import Testing

@testable import PDF

@Suite("The worker's sandbox")
struct SandboxTests {
  /// What each attempt answers within the sandbox. All of them succeed outside.
  private static let refusals: [String: Int32] = [
    "socket-inet": EPERM, "socket-unix": EPERM, "read-passwd": EACCES, "read-home": EACCES, "read-secret": EACCES,
    "write": EACCES, "truncate": EPERM, "remove": EPERM, "signal-parent": EPERM, "map-4-GiB": ENOMEM, "fork": EPERM,
    "trace": EPERM, "exec": EPERM, "fcntl-setown": EPERM, "fcntl-setsig": EPERM, "fcntl-async": EPERM,
    "fcntl-setpipe": EPERM, "memfd": EPERM,
  ]

  /// What fcntl does for the C library: F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. All others are refused.
  private static let commands: Set<Substring> = ["1", "2", "3", "4", "1030"]

  /// Every limit, as the kernel states it from within. The self-test asks for 1 GiB of address space.
  private static let limits: [String: Int32] = [
    "limit-AS": 1 << 30, "limit-FSIZE": 256 << 20, "limit-CPU": 3_600, "limit-NOFILE": 16, "limit-CORE": 0,
    "limit-SIGXFSZ": 1,
  ]

  @Test("Network, programs, processes, reading a home and writing are refused, and succeed where there is no sandbox")
  func attempts() async throws {
    let outside = try await selfTest("unprotected")
    #expect(outside == Self.refusals.mapValues { _ in 0 })
    var inside = try await selfTest("protected")
    #expect(inside.removeValue(forKey: "landlock") ?? 0 > 0)
    #expect(inside.removeValue(forKey: "seccomp") == 1)
    let commands = inside.keys.filter { $0.hasPrefix("fcntl-passes-") }
    #expect(Set(commands.map { $0.dropFirst(13) }) == Self.commands)
    for command in commands { inside[command] = nil }
    #expect(inside.filter { $0.key.hasPrefix("limit-") } == Self.limits)
    #expect(inside.filter { !$0.key.hasPrefix("limit-") } == Self.refusals)
  }

  @Test("a file in memory that a worker kept is empty once its request has ended, and cannot grow again")
  func keptMemory() throws {
    var file: Descriptor? = try .memory(holding: [1, 2, 3])
    let kept = Descriptor(dup(try #require(file).number))
    #expect(kept.size == 3)
    file = nil
    #expect(kept.size == 0)
    #expect(pwrite(kept.number, [1, 2, 3], 3, 0) == -1 && errno == EPERM)
    #expect(ftruncate(kept.number, 1 << 20) == -1)
    #expect(kept.size == 0)
  }

  @Test("A worker reports every protection before it is given a document")
  func status() async throws {
    let bench = try PDFBench()
    try await bench.pool.warm()
    let status = bench.pool.status
    #expect(status.protections?.missing == [])
    #expect(status.protections?.landlock ?? 0 > 0)
    #expect(status.spares == 1)
    #expect(status.workers.map(\.document) == [nil])
    #expect(status.workers[0].residentKiB ?? 0 > 1_000)
  }

  @Test("A running worker has every limit of the table, and in all others those of its daemon")
  func runningLimits() async throws {
    let bench = try PDFBench { $0.memory = 1_100 }
    try await bench.pool.warm()
    let worker = try #require(bench.pool.status.workers.first)
    var wanted = try Self.kernelLimits(of: "self")
    let own = [
      "Max address space": 1_100 << 20, "Max file size": 256 << 20, "Max cpu time": 3_600, "Max open files": 16,
      "Max core file size": 0,
    ]
    for (name, value) in own {
      let former = wanted.updateValue(["\(value)", "\(value)"], forKey: name)
      #expect(former != nil, "\(name)")
    }
    #expect(try Self.kernelLimits(of: "\(worker.pid)") == wanted)
  }

  /// All limits of a process, soft and hard.
  private static func kernelLimits(of process: String) throws -> [String: [String]] {
    let table = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    // The names are padded to 25 letters, and have blanks.
    let rows = table.split(separator: "\n").dropFirst().map { row in
      (row.prefix(25).trimmingCharacters(in: .whitespaces), row.dropFirst(25).split(separator: " ").prefix(2))
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0, $1.map(String.init)) })
  }

  @Test("Where a protection is missing, PDFs are refused by its name, or read if best effort will do")
  func missingProtection() async throws {
    let hello = WorkerReply.hello(
      Protections(landlock: 0, seccomp: true, limits: true, noNewPrivileges: true, endsWithDaemon: true))
    let script = try WorkerScript([.say(hello), .hear, .fail(.notPDF), .hear])
    let strict = try PDFBench(executable: script.path)
    let source = try strict.source(SamplePDF(pages: []))
    await #expect(throws: WorkerFailure.sandboxUnavailable(missing: ["landlock"])) {
      _ = try await strict.pool.inspect(source)
    }
    #expect(strict.pool.status.protections?.missing == ["landlock"])
    let lenient = try PDFBench(executable: script.path) { $0.sandbox = .bestEffort }
    await #expect(throws: WorkerFailure.notPDF) { _ = try await lenient.pool.inspect(source) }
  }

  private func selfTest(_ mode: String) async throws -> [String: Int32] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sandbox-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("secret".utf8).write(to: folder.appending(path: "secret"))
    let process = try ChildProcess(
      try WorkerExecutable.path(), ["--self-test", mode, folder.path],
      environment: ProcessInfo.processInfo.environment, folder: "/")
    let result = await process.end()
    #expect(result.status == 0, "\(result.errors)")
    var results: [String: Int32] = [:]
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      results[String(words[0])] = Int32(words[1])
    }
    // What it says is what it did.
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "written").path) == (mode == "unprotected"))
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "secret").path) == (mode == "protected"))
    return results
  }
}
