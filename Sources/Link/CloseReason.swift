import Glibc
import NIOCore
import Wire

/// Why a connection ended, for the log.
package enum CloseReason: Sendable, Equatable {
  /// We closed it.
  case asked
  /// The peer sent bytes that cannot be parsed as frames, and got an error for it.
  case badFrame(FrameError)
  /// Reading or writing failed in another way.
  case failed(String)
  /// The peer began a frame and sent none or too few of its bytes for this long, and got an error for it.
  case halfFrame(Duration)
  /// The peer ended its input, and all of its replies were written.
  case inputEnded
  /// The peer's input ended within a frame.
  case insideFrame
  /// The peer has unsent replies and accepted no byte for this long.
  case stalled(Duration)
  /// The peer closed the connection without ending its input first, or with outstanding replies.
  case vanished
}

extension CloseReason {
  /// Maps a failure of the channel.
  init(_ error: any Error) {
    switch error {
    case let error as IOError where error.errnoCode == EPIPE || error.errnoCode == ECONNRESET: self = .vanished
    case let error as IOError: self = .failed(error.description)
    case is ChannelError: self = .vanished
    default: self = .failed(String(describing: error))
    }
  }
}
