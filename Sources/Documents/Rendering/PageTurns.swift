import Synchronization

/// The page that each client requested last, and the pages that are rendered ahead of it.
///
///     requests 7 ──► 7 is rendered ──► 8, 6 are rendered while no client requests anything
///     requests 8 ──► is ready, or waited for if it is being rendered; 6 is cancelled; then 9, and 7 is ready
///
/// One turn for each client: the next turn replaces the rest of the last.
final class PageTurns: Sendable {
  /// The rendering ahead of one page.
  final class Turn: Sendable {
    private struct State {
      var isOver = false
      var drawing: String?
      var task: Task<Void, Never>?
    }

    let document: String
    let page: Int
    /// 1 if the client reads forwards, -1 if backwards.
    let step: Int
    private let state = Mutex(State())

    fileprivate init(document: String, page: Int, after last: Turn?) {
      self.document = document
      self.page = page
      guard let last, last.document == document else {
        step = 1
        return
      }
      step = page == last.page ? last.step : page < last.page ? -1 : 1
    }

    /// The pages to render, the likelier first.
    var pages: [Int] { [page + step, page - step] }

    /// Begins with a picture. False if the client has requested another page.
    func begin(_ key: String) -> Bool {
      state.withLock { state in
        state.drawing = key
        return !state.isOver
      }
    }

    fileprivate func run(_ body: @escaping @Sendable (Turn) async -> Void) {
      state.withLock { state in
        guard !state.isOver else { return }
        state.task = Task { await body(self) }
      }
    }

    /// Starts nothing more, and cancels the current rendering unless it is the requested one.
    fileprivate func end(for key: String?) {
      let task = state.withLock { state -> Task<Void, Never>? in
        state.isOver = true
        return state.drawing == key && key != nil ? nil : state.task
      }
      task?.cancel()
    }
  }

  private let turns = Mutex<[String: Turn]>([:])

  /// A client requests the picture of this key: its rendering ahead yields to it.
  func leave(_ client: String, for key: String) {
    turns.withLock { $0[client] }?.end(for: key)
  }

  /// Called when the client has its page; `draw` renders the pages it may request next. Of several simultaneous
  /// requests the last counts.
  func turn(
    _ client: String, to page: Int, of document: String, isConnected: (String) -> Bool,
    draw: @escaping @Sendable (Turn) async -> Void
  ) {
    let (turn, last) = turns.withLock { turns -> (Turn, Turn?) in
      // Disconnected clients are removed when a new client arrives.
      if turns[client] == nil { turns = turns.filter { isConnected($0.key) } }
      let turn = Turn(document: document, page: page, after: turns[client])
      let last = turns.updateValue(turn, forKey: client)
      return (turn, last)
    }
    last?.end(for: nil)
    turn.run(draw)
  }
}
