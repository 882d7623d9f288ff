import CSandbox
import Glibc

/// The number of workers and their limits.
package struct WorkerConfiguration: Sendable {
  package enum Sandbox: String, Sendable, CaseIterable {
    /// PDFs are refused with `sandboxUnavailable` if a protection is missing.
    case required
    /// All protections of the kernel are used, and the status lists the missing ones.
    case bestEffort
  }

  /// The path of `commonplace-pdf`.
  package var executable: String
  /// The most documents open at once, one worker each.
  package var workers = 2
  /// Warm workers in addition that have not opened a document.
  package var spares = 1
  /// The time limit of one request, and, separately, of its wait for a worker.
  package var timeout = Duration.seconds(20)
  /// The address space of a worker in MiB.
  package var memory = 1_024
  package var sandbox = Sandbox.required

  package init(executable: String) {
    self.executable = executable
  }

  /// Finds a program of ours beside the running one, or in `../libexec/commonplace` or `../libexec` from there.
  ///
  /// Never by PATH: only a program installed with the daemon is started.
  package static func locateExecutable(named name: String = "commonplace-pdf") -> String? {
    guard let program = runningProgram, let slash = program.lastIndex(of: "/") else { return nil }
    return locateExecutable(named: name, besides: String(program[..<slash]))
  }

  /// The path of the running program; nil if the kernel does not name it.
  package static var runningProgram: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    guard length > 0 else { return nil }
    return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func locateExecutable(named name: String = "commonplace-pdf", besides folder: String) -> String? {
    let folders = [folder, "\(folder)/../libexec/commonplace", "\(folder)/../libexec"]
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
