import NIOCore

/// The bounds of what a browser can make the bridge hold.
enum Limits {
  /// Open connections; a browser has at most six of HTTP and one WebSocket for each tab.
  static let connections = 128
  /// Open connections of other devices, besides.
  static let appConnections = 32
  /// Bytes of a request's line and headers.
  static let head = 64 << 10
  static let headerFields = 64
  static let uri = 32 << 10
  /// Bytes of `POST /session`.
  static let token = 256
  /// Bytes of the form of an app: it marks up to ten thousand posts at once.
  static let appForm = 1 << 20
  /// Bytes of `POST /frame`.
  static let frame = 24 << 20
  /// Bytes of an uploaded file.
  static let upload = 2 << 30
  /// Bytes of one JSON-RPC message of the page, as of any client of the daemon.
  static let message = 16 << 20
  /// Bytes of a file that are in memory for one answer.
  static let piece = 256 << 10
  /// The time for a whole request head, for each further part of a body, and for each piece of an answer; of another
  /// device, for a whole request.
  static let progress = TimeAmount.seconds(30)
  /// The time between two pings of a WebSocket; a peer that answers none of two is gone.
  static let ping = TimeAmount.seconds(30)
  /// The time that a WebSocket's peer has to take the frame that closes it.
  static let farewell = TimeAmount.seconds(5)
}
