import Client
import Contract
import Foundation
import Kit
import TestSupport
import Wire

/// A device of a person who has several: a daemon with a library of its own. All exchange files over one folder.
struct SharedDevice: Sendable {
  let daemon: TestDaemon
  let client: Client

  /// - Parameters:
  ///   - place: the folder of the target.
  ///   - fetchesAllFiles: whether files are fetched before they are opened.
  init(
    at place: String, in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(),
    fetchesAllFiles: Bool = true
  ) async throws {
    daemon = try await TestDaemon.started(in: folder, clock: clock) { settings in
      // No test may fail because the machine is busy.
      settings.workers.timeout = .seconds(60)
      // Without a schedule: runs are those of the test.
      settings.configure {
        ($0.sync.kind, $0.sync.place, $0.sync.interval) = (.folder, place, nil)
        $0.sync.fetchesAllFiles = fetchesAllFiles
      }
    }
    client = try await daemon.client()
    // Which fetches what is opened.
    if !fetchesAllFiles { daemon.daemon.startBackgroundWork() }
  }

  /// Devices that share their libraries, which are empty.
  static func group(
    _ names: [String], at folder: TemporaryFolder, fetchesAllFiles: Bool = true
  ) async throws -> [SharedDevice] {
    var devices: [SharedDevice] = []
    var code: JSONValue?
    for name in names {
      let device = try await SharedDevice(at: folder.path, fetchesAllFiles: fetchesAllFiles)
      var params: JSONObject = ["name": .string(name)]
      params["code"] = code
      let reply = try await device.call("sync/setUp", .object(params))
      code = code ?? reply["code"]
      devices.append(device)
    }
    return devices
  }

  @discardableResult
  func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    try await client.call(method, params)
  }

  @discardableResult
  func run() async throws -> JSONValue { try await call("sync/run") }

  /// Runs once more; whether nothing was received, read or written.
  func didNothing() async throws -> Bool {
    let reply = try await run()
    return ["received", "read", "written"].allSatisfy { reply[$0] == 0 }
  }

  func stop() async {
    await client.close()
    await daemon.stop()
  }

  /// What people see of all shared collections, without revisions and without the times of changes.
  func contents() async throws -> [String: [JSONValue]] {
    var contents: [String: [JSONValue]] = [:]
    for (collection, method, params) in [
      ("diary", "diary/list", [:]), ("notes", "notes/list", [:]), ("cards", "projects/list", ["allBoards": true]),
      ("boards", "projects/boards", ["archived": true]), ("searches", "search/saved", [:]),
      ("documents", "documents/list", [:]), ("highlights", "documents/highlights", [:]),
    ] as [(String, String, JSONValue)] {
      contents[collection] = try await call(method, params).items.map(Self.plain).sorted {
        $0["id"].text < $1["id"].text
      }
    }
    return contents
  }

  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      let hidden: Set = ["revision", "updatedAt", "display", "origins"]
      return .object(
        JSONObject(
          object.members.filter { !hidden.contains($0.key) }.map { .init(key: $0.key, value: plain($0.value)) }))
    case .array(let elements): return .array(elements.map(plain))
    default: return value
    }
  }
}

/// Runs each device in turn until all have all.
func exchange(_ devices: [SharedDevice]) async throws {
  for _ in 0..<2 { for device in devices { try await device.run() } }
}

/// Copies what a daemon that was stopped has left.
func copyDisk(_ folder: TemporaryFolder, to other: TemporaryFolder) throws {
  for name in ["library", "state"] {
    try? FileManager.default.removeItem(atPath: other.file(name))
    try FileManager.default.copyItem(atPath: folder.file(name), toPath: other.file(name))
  }
}
