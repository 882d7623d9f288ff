import CSandbox
import Glibc
import PDF

/// Restricts the worker before it gets a document.
enum Sandbox {
  /// The files that poppler needs apart from the document: fonts and their configuration, its tables for Chinese,
  /// Japanese and Korean, and libraries that the C library loads late (its converters of rare encodings).
  private static let readable = [
    "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
    "/usr/share/xml/fontconfig", "/var/cache/fontconfig", "/usr/share/poppler",
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache",
  ]

  /// Pictures and texts are never longer.
  private static let fileSize = UInt64(256 * 1_024 * 1_024)
  /// Processor time of the whole process, in seconds: a last resort, for a daemon that lost track of its worker.
  private static let processorTime: UInt64 = 3_600

  /// - Parameter memory: the address space in MiB.
  static func enter(memory: UInt64) -> Protections {
    let noNewPrivileges = sandbox_no_new_privileges() == 0
    let limits = sandbox_limit(memory * 1_024 * 1_024, fileSize, processorTime) == 0
    let paths: [UnsafePointer<CChar>?] = readable.map { UnsafePointer(strdup($0)) }
    let landlock = sandbox_landlock(paths, paths.count)
    for path in paths {
      free(UnsafeMutablePointer(mutating: path))
    }
    // Last, since it forbids the system calls of the others.
    let seccomp = sandbox_seccomp() == 0
    return Protections(
      landlock: max(0, Int(landlock)), seccomp: seccomp, limits: limits, noNewPrivileges: noNewPrivileges,
      endsWithDaemon: false)
  }
}
