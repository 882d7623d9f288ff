import Contract

/// How many parts of a whole are done.
struct DoneCount: Payload, Equatable {
  var done: Int
  var of: Int
  static let example = DoneCount(done: 2, of: 5)
  static let fields = ["done": "The number of those that are done.", "of": "The number of all."]
}
