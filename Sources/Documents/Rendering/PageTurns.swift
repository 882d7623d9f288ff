import Synchronization

/// The page that each client asked for last, and what is drawn ahead of it.
///
///     asks for 7 ──► 7 is drawn ──► 8, 6 are drawn while nobody asks for anything
///     asks for 8 ──► is there, or waited for if it is being drawn; 6 is given up; then 9, and 7 is there
///
/// One turn for each client: the next one takes the place of what is left of it.
final class PageTurns: Sendable {
  /// What is drawn ahead of one page.
  final class Turn: Sendable {
    private struct State {
      var isOver = false
      var drawing: String?
      var task: Task<Void, Never>?
    }

    let document: String
    let page: Int
    /// 1 for who reads on, -1 for who reads back.
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

    /// The pages to draw, the likelier first.
    var pages: [Int] { [page + step, page - step] }

    /// Begins with a picture. False if the reader has gone on.
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

    /// Nothing more is begun, and what is being drawn is given up unless it is what is asked for now.
    fileprivate func end(for key: String?) {
      let task = state.withLock { state -> Task<Void, Never>? in
        state.isOver = true
        return state.drawing == key && key != nil ? nil : state.task
      }
      task?.cancel()
    }
  }

  private let turns = Mutex<[String: Turn]>([:])

  /// A client asks for the picture of this key: what was drawn ahead for it makes way.
  func leave(_ client: String, for key: String) {
    turns.withLock { $0[client] }?.end(for: key)
  }

  /// The client has its page; `draw` draws what it may ask for next. Of several that ask at once the last counts.
  func turn(
    _ client: String, to page: Int, of document: String, isConnected: (String) -> Bool,
    draw: @escaping @Sendable (Turn) async -> Void
  ) {
    let (turn, last) = turns.withLock { turns -> (Turn, Turn?) in
      // Clients that have left are forgotten by those that come.
      if turns[client] == nil { turns = turns.filter { isConnected($0.key) } }
      let turn = Turn(document: document, page: page, after: turns[client])
      let last = turns.updateValue(turn, forKey: client)
      return (turn, last)
    }
    last?.end(for: nil)
    turn.run(draw)
  }
}
