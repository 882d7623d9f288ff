import Glibc
import NIOCore
import Wire

/// Why a connection ended, for the log.
package enum CloseReason: Sendable, Equatable {
  /// We closed it.
  case asked
  /// The peer sent bytes that cannot be cut into frames; it was told so.
  case badFrame(FrameError)
  /// Reading or writing failed in a way that is none of the others.
  case failed(String)
  /// The peer began a frame, and sent no byte of it for this long or too few; it was told so.
  case halfFrame(Duration)
  /// The peer ended its input, and all that it waited for was written.
  case inputEnded
  /// The peer's input ended in the middle of a frame.
  case insideFrame
  /// The peer has unsent replies and took no byte for this long.
  case stalled(Duration)
  /// The peer left without ending its input first, or while it was owed replies.
  case vanished
}

extension CloseReason {
  /// What a failure of the channel means.
  init(_ error: any Error) {
    switch error {
    case let error as IOError where error.errnoCode == EPIPE || error.errnoCode == ECONNRESET: self = .vanished
    case let error as IOError: self = .failed(error.description)
    case is ChannelError: self = .vanished
    default: self = .failed(String(describing: error))
    }
  }
}
