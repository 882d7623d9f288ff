import CSandbox

extension Daemon {
  /// What a process that is a daemon, and nothing else, asks of the system once, at its start.
  package static func settleProcess() {
    process_present("commonplace")
    process_open_many()
    memory_configure()
  }
}
