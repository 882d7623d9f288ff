/// The owner of a library, as its lock file states it.
package struct Owner: Sendable, Equatable {
  package var pid: Int32
  package var socket: String
  package var version: String
  package var epoch: String
  /// Whether a bridge started it, so that it may exit when idle.
  package var isAutomatic: Bool

  package init(pid: Int32, socket: String, version: String, epoch: String, isAutomatic: Bool) {
    self.pid = pid
    self.socket = socket
    self.version = version
    self.epoch = epoch
    self.isAutomatic = isAutomatic
  }

  var text: String {
    """
    pid \(pid)
    socket \(socket)
    version \(version)
    epoch \(epoch)
    automatic \(isAutomatic)

    """
  }

  init?(text: String) {
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let blank = line.firstIndex(of: " ") else { continue }
      fields[line[..<blank]] = String(line[line.index(after: blank)...])
    }
    guard let pid = fields["pid"].flatMap({ Int32($0) }), pid > 0, let socket = fields["socket"] else { return nil }
    self.init(
      pid: pid, socket: socket, version: fields["version"] ?? "", epoch: fields["epoch"] ?? "",
      isAutomatic: fields["automatic"] == "true")
  }
}
