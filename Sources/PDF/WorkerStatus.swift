/// The protections of a worker process against a hostile PDF.
package struct Protections: Sendable, Equatable {
  /// The active version of Landlock; 0 if none is.
  package var landlock: Int
  package var seccomp: Bool
  /// Memory, file size, open files, processor time and core dumps are limited.
  package var limits: Bool
  package var noNewPrivileges: Bool
  /// The worker is killed with its daemon.
  package var endsWithDaemon: Bool

  package init(landlock: Int, seccomp: Bool, limits: Bool, noNewPrivileges: Bool, endsWithDaemon: Bool) {
    self.landlock = landlock
    self.seccomp = seccomp
    self.limits = limits
    self.noNewPrivileges = noNewPrivileges
    self.endsWithDaemon = endsWithDaemon
  }

  /// The names of the protections that are not active.
  package var missing: [String] {
    var names: [String] = []
    if landlock == 0 { names.append("landlock") }
    if !seccomp { names.append("seccomp") }
    if !limits { names.append("rlimits") }
    if !noNewPrivileges { names.append("no_new_privs") }
    if !endsWithDaemon { names.append("pdeathsig") }
    return names
  }
}

/// The state of the pool at one moment, for `session/status`.
package struct WorkerStatus: Sendable, Equatable {
  package struct Worker: Sendable, Equatable {
    package var pid: Int32
    /// Resident memory in KiB, as the kernel counts it; nil if the process has just ended.
    package var residentKiB: Int?
    package var isBusy: Bool
    /// The key of its document; nil for a spare.
    package var document: String?
  }

  /// As reported by the worker that started last; nil before the first one has started.
  package var protections: Protections?
  package var workers: [Worker] = []
  /// Warm workers without a document.
  package var spares = 0
  /// Since the pool was created. Each failure is counted once.
  package var crashes = 0
  package var timeouts = 0
  /// Requests that needed more memory than a worker may have, whether it reported that or crashed.
  package var outOfMemory = 0
  /// Invalid replies.
  package var badReplies = 0
  /// Workers that were started to replace one that had ended, for any reason.
  package var restarts = 0
  /// Pictures of pages that are a single image, which were rendered without poppler.
  package var scans = 0
  /// Requests that wait for a worker.
  package var waiting = 0
  /// The keys of documents with an attempt that is blocked since it crashed or hung three workers.
  package var dangerous: [String] = []
  /// The end of the stderr output of the last worker that failed: at most 4 KiB.
  package var lastWords = ""
}
