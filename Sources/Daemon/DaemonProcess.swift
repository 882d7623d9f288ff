import CSandbox

extension Daemon {
  /// Configures the process at startup, once, for a process that is only a daemon.
  package static func settleProcess() {
    process_present("commonplace")
    process_open_many()
    memory_configure()
  }
}
