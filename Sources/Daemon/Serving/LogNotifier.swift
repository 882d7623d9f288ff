import Contract
import Link
import Synchronization
import System
import Wire

/// Sends warnings and errors of the log to clients (`window/logMessage`): an editor shows them with the messages of
/// other servers, so that users see them without knowing the log file.
final class LogNotifier: Sendable {
  private let hosts = Mutex<[Confined<LoopContext>]>([])

  /// A log that writes to another one, and also sends to clients. Any thread may write.
  func log(into log: Log) -> Log {
    Log { [self] level, sentence in
      log(sentence, as: level)
      guard level != .info else { return }
      let params: JSONValue = ["type": level == .error ? 1 : 2, "message": .string(sentence)]
      let message = MessageBytes.notification(method: LogMessage.name, params: params)
      for host in hosts.withLock(\.self) { host.execute { $0.notifyAll(message) } }
    }
  }

  /// Sets the hosts whose clients get messages; empty before startup and at shutdown.
  func notify(_ hosts: [Confined<LoopContext>]) {
    self.hosts.withLock { $0 = hosts }
  }
}
