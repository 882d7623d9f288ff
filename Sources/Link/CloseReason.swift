import Wire

/// Why a connection ended, for the log.
package enum CloseReason: Sendable, Equatable {
  /// We closed it.
  case asked
  /// The peer sent bytes that cannot be cut into frames; it was told so.
  case badFrame(FrameError)
  /// Reading or writing failed in a way that is none of the others.
  case failed(String)
  /// The peer ended its input, and all that it waited for was written.
  case inputEnded
  /// The peer's input ended in the middle of a frame.
  case insideFrame
  /// The peer has unsent replies and took no byte for this long.
  case stalled(Duration)
  /// The peer left without ending its input first, or while it was owed replies.
  case vanished
}
