import CSandbox
import Glibc
import PDF

/// The worker: a process that parses one PDF for the daemon, within a sandbox, and exits with it.
///
///     commonplace-pdf --serve <daemon's pid> --memory <MiB> --sandbox required|bestEffort --warmth first|later
///
/// Descriptor 3 is its only connection: it receives requests with descriptors, and sends short replies. It never
/// prints; poppler's warnings go to stderr, a small pipe that never blocks.
///
///     commonplace-pdf --self-test protected|unprotected <folder>
///
/// tries what a hijacked worker would try and prints the errno of each; see ``SelfTest``.
@main
enum Main {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    var options: [String: String] = [:]
    while let name = arguments.popFirst(), let value = arguments.popFirst() {
      options[name] = value
      if name == "--self-test" {
        return SelfTest.run(isProtected: value == "protected", in: arguments.popFirst() ?? "/tmp")
      }
    }
    guard let parent = options["--serve"].flatMap(pid_t.init), let memory = options["--memory"].flatMap(UInt64.init),
      let sandbox = options["--sandbox"].flatMap(WorkerConfiguration.Sandbox.init(rawValue:))
    else {
      let note = "commonplace-pdf is started by commonplace; it has no use by itself.\n"
      write(STDERR_FILENO, note, note.utf8.count)
      exit(64)
    }
    let endsWithDaemon = sandbox_die_with(parent) == 0
    // Before any other read, so before the first byte of a document.
    var protections = Sandbox.enter(memory: memory)
    protections.endsWithDaemon = endsWithDaemon
    let warmsUpFirst = options["--warmth"] != "later"
    var service = Service(isWarm: warmsUpFirst)
    if warmsUpFirst, sandbox == .bestEffort || protections.missing.isEmpty {
      Warmup.draw()
    }
    service.send(.hello(protections))
    if sandbox == .required, !protections.missing.isEmpty {
      exit(0)
    }
    service.run()
  }
}
