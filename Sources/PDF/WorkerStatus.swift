/// What stands between a hostile PDF and the reader's library.
package struct Protections: Sendable, Equatable {
  /// The version of Landlock that holds; 0 if none does.
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

  /// The names of those that do not hold.
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

/// The pool at one moment, for `session/status`.
package struct WorkerStatus: Sendable, Equatable {
  package struct Worker: Sendable, Equatable {
    package var pid: Int32
    /// Resident memory in KiB, as the kernel counts it; nil if the process has just ended.
    package var residentKiB: Int?
    package var isBusy: Bool
    /// The key of the document that it serves; nil for a spare, which has seen none.
    package var document: String?
  }

  /// As the last worker that started reported them; nil before the first one has.
  package var protections: Protections?
  package var workers: [Worker] = []
  /// Warm workers that wait for a document.
  package var spares = 0
  /// Since the pool was made. Each failure is counted once.
  package var crashes = 0
  package var timeouts = 0
  /// Requests that needed more memory than a worker may have, whether it said so or died of it.
  package var outOfMemory = 0
  /// Answers that no honest worker gives.
  package var badReplies = 0
  /// Workers that were started in the place of one that had ended, however it did.
  package var restarts = 0
  /// Pictures of pages that are one image, which were drawn without poppler.
  package var scans = 0
  /// Requests that wait for a worker.
  package var waiting = 0
  /// The keys of documents of which something is left alone since it crashed or hung three workers.
  package var dangerous: [String] = []
  /// The end of what the last worker that failed wrote to its stderr: at most 4 KiB.
  package var lastWords = ""
}
