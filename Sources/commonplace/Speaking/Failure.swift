/// The end of a command that could not do what it was asked: one sentence for people, one number for scripts.
struct Failure: Error {
  var status: ExitStatus
  /// In the user's language; empty where another process has spoken already, or where nobody is to be told.
  var sentence: String

  init(_ status: ExitStatus, _ sentence: String = "") {
    self.status = status
    self.sentence = sentence
  }
}
