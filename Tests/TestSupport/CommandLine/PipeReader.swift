import Foundation
import Synchronization

/// Reads a pipe to its end on a thread of its own, and hands out its lines as they come.
final class PipeReader: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  private let state = Awaited(State())

  init(_ descriptor: Int32) {
    Thread.detachNewThread { [state] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        state.change { $0.bytes += buffer[..<count] }
      }
      close(descriptor)
      state.change { $0.hasEnded = true }
    }
  }

  /// The next line without its end; nil when there is no more. What comes last and is no line stays for `rest`.
  func line() async -> String? {
    await state.value { state -> String?? in
      guard let end = state.bytes.firstIndex(of: 0x0A) else { return state.hasEnded ? .some(nil) : nil }
      defer { state.bytes.removeSubrange(...end) }
      return String(decoding: state.bytes[..<end], as: UTF8.self)
    }
  }

  /// Whether what was not handed out holds this, as soon as it does; false when all has come and it does not.
  func holds(_ text: String) async -> Bool {
    await state.value { state in
      if String(decoding: state.bytes, as: UTF8.self).contains(text) { return true }
      return state.hasEnded ? false : nil
    }
  }

  /// Everything that was not handed out, when all has come.
  func rest() async -> String {
    await state.value { $0.hasEnded ? String(decoding: $0.bytes, as: UTF8.self) : nil }
  }
}

/// A value that changes, and those who wait for it to be as they want.
final class Awaited<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  var now: Value { state.withLock(\.value) }

  func change(_ body: (inout Value) -> Void) {
    let waiting = state.withLock { state in
      body(&state.value)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// What `take` gives as soon as it gives something. Asked again after each change.
  func value<Result: Sendable>(_ take: (inout Value) -> Result?) async -> Result {
    while true {
      var found: Result?
      await withCheckedContinuation { continuation in
        let isFound = state.withLock { state in
          found = take(&state.value)
          if found == nil { state.waiting.append(continuation) }
          return found != nil
        }
        if isFound { continuation.resume() }
      }
      if let found { return found }
    }
  }
}
