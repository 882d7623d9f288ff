import Contract
import Link
import Synchronization
import System
import Wire

/// Tells the clients what goes into the log because something is odd or did not come about (`window/logMessage`): an
/// editor shows it where it shows what other servers say, and a person need not know that there is a log.
final class LogTeller: Sendable {
  private let hosts = Mutex<[Confined<Host>]>([])

  /// A log that writes into another, and tells. Any thread may write.
  func log(into log: Log) -> Log {
    Log { [self] level, sentence in
      log(sentence, as: level)
      guard level != .info else { return }
      let params: JSONValue = ["type": level == .error ? 1 : 2, "message": .string(sentence)]
      let message = MessageBytes.notification(method: LogMessage.name, params: params)
      for host in hosts.withLock(\.self) { host.execute { $0.tellAll(message) } }
    }
  }

  /// From now on these are told; nobody before, or at the end.
  func tell(_ hosts: [Confined<Host>]) {
    self.hosts.withLock { $0 = hosts }
  }
}
