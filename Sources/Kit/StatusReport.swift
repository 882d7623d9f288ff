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
    "server": "This daemon.", "library": "The library that it owns.", "clients": "Who is connected.",
    "jobs": "What waits for the world outside: requests such as downloads, and sources that are being asked.",
    "caches": "What could be made again.",
    "workers": "The processes that read PDFs, and what protects the library from them.",
    "wal": "Bytes of the write-ahead log.",
    "configuration": "What config.toml says; absent where a daemon was started without one in mind.",
    "lastErrors": "The newest lines of the log that tell of failures.",
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
      "version": "The version of the daemon.", "protocolLevel": "What its protocol can do.",
      "pid": "Its process.", "startedAt": "Since when it runs.", "socket": "Where it listens; absent when private.",
    ]
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
      "id": "The same for all copies.", "epoch": "This copy.", "clock": "Its newest commit.", "path": "Its folder.",
    ]
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
      "name": "As `initialize` said it, or empty.", "connection": "This connection.", "pid": "The client's process.",
      "running": "Its requests under way.", "unsentBytes": "Bytes of replies that it has not taken.",
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
      "method": "What was asked for.", "connection": "The connection that asked, or the source that is asked.",
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
    package static let fields = ["path": "Their folder.", "bytes": "How much is in it."]
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
      "running": "The workers.", "spares": "Warm ones that have seen no document.",
      "protections": "What holds every worker.", "missing": "What this system cannot give.",
      "crashes": "Workers that crashed since the daemon started.",
      "timeouts": "Requests that took longer than a worker may.",
      "outOfMemory": "Requests that needed more memory than a worker may have.",
      "badReplies": "Answers that no honest worker gives.",
      "leftAlone": "Documents of which something failed three times and is not tried for ten minutes.",
      "restarts": "Workers that replaced another.",
      "scans": "Pictures of pages that are one image, drawn without poppler.",
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
      "pid": "Its process.", "residentKiB": "Its resident memory in KiB.", "isBusy": "Whether it works for a request.",
    ]
  }
}
