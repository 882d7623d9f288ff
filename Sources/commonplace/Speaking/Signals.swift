@preconcurrency import Dispatch
import Glibc

/// Signals as events, instead of the end of the process.
///
/// Made before anything that a signal should end in order; what came meanwhile is handed out then.
final class Signals: Sendable {
  let arrivals: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  init(_ numbers: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    arrivals = stream
    sources = numbers.map { number in
      // Otherwise the default action would come first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
  }
}
