import Contract

/// The state of the daemon at one moment.
package struct StatusReport: Payload {
  package var server: Server
  package var library: LibraryState
  package var clients: [ClientState]
  package var jobs: [Job]
  package var workers: Workers
  package var caches: Caches
  package var wal: Int64
  package var configuration: Configuration?
  package var lastErrors: [String]

  package init(
    server: Server, library: LibraryState, clients: [ClientState], jobs: [Job], workers: Workers, caches: Caches,
    wal: Int64, configuration: Configuration?, lastErrors: [String]
  ) {
    self.server = server
    self.library = library
    self.clients = clients
    self.jobs = jobs
    self.workers = workers
    self.caches = caches
    self.wal = wal
    self.configuration = configuration
    self.lastErrors = lastErrors
  }

  package static let example = StatusReport(
    server: .example, library: .example, clients: [.example], jobs: [.example], workers: .example,
    caches: .example, wal: 4_096, configuration: .example, lastErrors: [])
  package static let fields = [
    "server": "This daemon.", "library": "The library that it serves.", "clients": "The connected clients.",
    "jobs":
      "Operations that wait for the network or for workers: requests such as downloads, and sources being fetched.",
    "caches": "Files that can be made again.",
    "workers": "The processes that read PDFs, and their protections.",
    "wal": "Size of the write-ahead log, in bytes.",
    "configuration": "The state of config.toml; absent if the daemon was started without one.",
    "lastErrors": "The newest log lines about failures.",
  ]

  package struct Server: Payload {
    package var version: String
    package var protocolLevel: Int
    package var pid: Int
    package var startedAt: Instant
    package var socket: String?

    package init(version: String, protocolLevel: Int, pid: Int, startedAt: Instant, socket: String?) {
      self.version = version
      self.protocolLevel = protocolLevel
      self.pid = pid
      self.startedAt = startedAt
      self.socket = socket
    }

    package static let example = Server(
      version: "0.1.0", protocolLevel: 1, pid: 4711, startedAt: Instant(milliseconds: 1_795_225_445_678),
      socket: "/run/user/1000/commonplace.sock")
    package static let fields = [
      "version": "The daemon's version.", "protocolLevel": "Its protocol level.",
      "pid": "Its process id.", "startedAt": "When it was started.",
      "socket": "The path of its socket; absent for a private daemon.",
    ]
    package static let limits: [String: FieldLimits] = ["socket": .form(.absolutePath)]
  }

  package struct LibraryState: Payload {
    package var id: String
    package var epoch: String
    package var clock: Int64
    package var path: String

    package init(id: String, epoch: String, clock: Int64, path: String) {
      self.id = id
      self.epoch = epoch
      self.clock = clock
      self.path = path
    }

    package static let example = LibraryState(
      id: "0190", epoch: "0191", clock: 42, path: "/home/ann/.local/share/commonplace")
    package static let fields = [
      "id": "The same for all copies.", "epoch": "The epoch of this copy.", "clock": "The clock of its newest commit.",
      "path": "The path of its folder.",
    ]
    package static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  package struct ClientState: Payload {
    package var name: String
    package var connection: String
    package var pid: Int?
    package var running: Int
    package var unsentBytes: Int

    package init(name: String, connection: String, pid: Int?, running: Int, unsentBytes: Int) {
      self.name = name
      self.connection = connection
      self.pid = pid
      self.running = running
      self.unsentBytes = unsentBytes
    }

    package static let example = ClientState(
      name: "nvim", connection: "0192", pid: 4712, running: 0, unsentBytes: 0)
    package static let fields = [
      "name": "The name from `initialize`, or empty.", "connection": "The id of this connection.",
      "pid": "The client's process id.",
      "running": "The number of its running requests.", "unsentBytes": "Bytes of replies that it has not accepted.",
    ]
  }

  package struct Job: Payload {
    package var method: String
    package var connection: String

    package init(method: String, connection: String) {
      self.method = method
      self.connection = connection
    }

    package static let example = Job(method: "library/backup", connection: "0192")
    package static let fields = [
      "method": "The method.", "connection": "The connection that sent the request, or the source being fetched.",
    ]
  }

  package struct Caches: Payload {
    package var path: String
    package var bytes: Int64

    package init(path: String, bytes: Int64) {
      self.path = path
      self.bytes = bytes
    }

    package static let example = Caches(path: "/home/ann/.cache/commonplace", bytes: 40_960)
    package static let fields = ["path": "The path of their folder.", "bytes": "Their size in bytes."]
    package static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  package struct Workers: Payload {
    package var running: [WorkerState]
    package var spares: Int
    package var protections: [String]
    package var missing: [String]
    package var crashes: Int
    package var timeouts: Int
    package var outOfMemory: Int
    package var badReplies: Int
    package var leftAlone: Int
    package var restarts: Int
    package var scans: Int

    package init(
      running: [WorkerState], spares: Int, protections: [String], missing: [String], crashes: Int, timeouts: Int,
      outOfMemory: Int, badReplies: Int, leftAlone: Int, restarts: Int, scans: Int
    ) {
      self.running = running
      self.spares = spares
      self.protections = protections
      self.missing = missing
      self.crashes = crashes
      self.timeouts = timeouts
      self.outOfMemory = outOfMemory
      self.badReplies = badReplies
      self.leftAlone = leftAlone
      self.restarts = restarts
      self.scans = scans
    }

    package static let example = Workers(
      running: [.example], spares: 1, protections: ["landlock 7", "seccomp", "rlimits", "no_new_privs"], missing: [],
      crashes: 0, timeouts: 0, outOfMemory: 0, badReplies: 0, leftAlone: 0, restarts: 0, scans: 0)
    package static let fields = [
      "running": "The workers.", "spares": "Warm workers that have opened no document.",
      "protections": "Protections that apply to every worker.",
      "missing": "Protections that this system does not offer.",
      "crashes": "Workers that crashed since the daemon started.",
      "timeouts": "Requests that exceeded a worker's time limit.",
      "outOfMemory": "Requests that exceeded a worker's memory limit.",
      "badReplies": "Malformed or impossible replies of workers.",
      "leftAlone": "Documents with an operation that failed three times; it is not tried for ten minutes.",
      "restarts": "Workers that replaced another.",
      "scans": "Renderings of pages that are one image, made without poppler.",
    ]
  }

  package struct WorkerState: Payload {
    package var pid: Int
    package var residentKiB: Int?
    package var isBusy: Bool

    package init(pid: Int, residentKiB: Int?, isBusy: Bool) {
      self.pid = pid
      self.residentKiB = residentKiB
      self.isBusy = isBusy
    }

    package static let example = WorkerState(pid: 4713, residentKiB: 18_000, isBusy: false)
    package static let fields = [
      "pid": "Its process id.", "residentKiB": "Its resident memory in KiB.",
      "isBusy": "Whether it is processing a request.",
    ]
  }
}
