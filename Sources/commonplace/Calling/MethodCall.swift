import Contract
import Daemon
import Wire

/// One request, as `commonplace call` sends it, and its answer on the output.
struct MethodCall {
  var method: String
  var params: [String] = []
  var output = Output()
  var locale: String?
  var library = Paths.Options()

  init(method: String, params: [String], output: Output, locale: String?, library: Paths.Options) {
    (self.method, self.params, self.output) = (method, params, output)
    (self.locale, self.library) = (locale, library)
  }

  /// From the arguments after `call` if they are a method and its parameters; nil if there are options, which are the
  /// parser's. The parser takes longer than most methods.
  init?(plain arguments: some Collection<String>) {
    guard let method = arguments.first, arguments.allSatisfy({ $0 == "-" || !$0.hasPrefix("-") }) else { return nil }
    (self.method, params) = (method, Array(arguments.dropFirst()))
  }

  /// - Throws: `Failure` for an unknown method.
  func writeHelp() throws(Failure) {
    let description = try description(in: Place(library, locale: locale))
    Terminal.write(MethodPage(description, width: Terminal.outputWidth).text)
  }

  private func description(in place: Place) throws(Failure) -> MethodDescription {
    guard let description = MethodNames.describe(method) else { throw place.voice.failure(.unknownMethod(method)) }
    return description
  }

  /// - Throws: `Failure`, also for an answer that reports that nothing was done.
  func run() async throws {
    let place = try Place(library, locale: locale)
    let description = try description(in: place)
    let params = CallParams(description: description, place: place)
    let value = try params.value(of: self.params)
    let conversation = try await Conversation.open(place, from: .shared, greeting: method != "initialize")
    let answer = try await ask(conversation, method, value, params)
    await conversation.end()
    show(answer, to: description, place)
    // For who types; what a script gives is what it means.
    if Terminal.isErrorOutput { for hint in params.hints(on: self.params) { Terminal.say("commonplace: \(hint)") } }
    // In a script an entry that was never written must not look like one that was.
    // A post that is not kept for good says `saved: false` too, but is there.
    if answer["saved"]?.boolValue == false, answer["id"] == nil {
      throw place.voice.failure(.usage, Text("command.notSaved"))
    }
    if let failures = ReplyFailures(answer, of: description.result) {
      if failures.isAll { throw place.voice.failure(.allFailed, Text("command.allFailed")) }
      let counts = ["failed": String(failures.failed), "tried": String(failures.tried)]
      Terminal.say("commonplace: " + place.voice.sentence(Text("command.partFailed", counts)))
    }
  }

  private func show(_ answer: JSONValue, to description: MethodDescription, _ place: Place) {
    output.show(answer, to: description, asked: params, on: place.screen)
  }

  /// Asks, and where a document turns out to want a password that a person is there to type, asks again with it. A few
  /// times, as a word typed unseen is easily mistyped.
  private func ask(
    _ conversation: Conversation, _ method: String, _ value: JSONValue, _ params: CallParams
  ) async throws(Failure) -> JSONValue {
    var value = value
    for _ in 0..<Self.mostPasswords {
      do throws(Failure) {
        return try await conversation.askPatiently(method, value)
      } catch {
        guard error.kind == ErrorKind.passwordRequired.rawValue, Terminal.isOutput,
          let completed = try params.adding("password", to: value, after: error)
        else { throw error }
        value = completed
      }
    }
    return try await conversation.askPatiently(method, value)
  }

  private static let mostPasswords = 3
}
