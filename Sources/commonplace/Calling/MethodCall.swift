import Contract
import Daemon
import Wire

/// One request, as `commonplace call` sends it, with its reply on the output.
struct MethodCall {
  var method: MethodDescription
  var params: [String] = []
  var output = Output()
  var locale: String?
  var library = Paths.Options()

  init(method: MethodDescription, params: [String], output: Output, locale: String?, library: Paths.Options) {
    (self.method, self.params, self.output) = (method, params, output)
    (self.locale, self.library) = (locale, library)
  }

  /// From the arguments after `call` if they are a method and its parameters; nil if the method is unknown or there are
  /// options, which is left to the parser. The parser takes longer than most methods.
  init?(plain arguments: some Collection<String>) {
    guard let name = arguments.first, arguments.allSatisfy({ $0 == "-" || !$0.hasPrefix("-") }),
      let method = MethodNames.describe(name)
    else { return nil }
    (self.method, params) = (method, Array(arguments.dropFirst()))
  }

  func writeHelp() {
    Terminal.write(MethodPage(method, width: Terminal.outputWidth).text)
  }

  /// - Throws: `Failure`, also for a reply that states that nothing was done.
  func run() async throws {
    let place = try Place(library, locale: locale)
    if output.isLines, !method.isList {
      return try await LineCalls(method: method, params: params, place: place).run()
    }
    let params = CallParams(description: method, place: place)
    var object = try params.object(of: self.params)
    GuessedFormat.complete(&object, of: method)
    let copy = try FileOfReply(takenFrom: &object, of: method, in: place)
    var handles = try HandleParams(object, of: method, in: place)
    try params.check(handles.checkable)
    let conversation = try await Conversation.open(place, from: .shared, greeting: method.name != "initialize")
    let lookup = ItemLookup(client: conversation.client, voice: place.voice)
    if handles.needsLookup { try await handles.resolve(all: false, by: lookup) }
    var answer = try await answer(to: &handles, params, conversation, lookup)
    if output.isAll {
      answer = try await ListRemainder(method: method, conversation: conversation).completed(
        answer, to: handles.params, eachLine: output.isLines)
    }
    await conversation.end()
    if let copy { answer = try copy.copied(from: answer) }
    // In a script an entry that was never written must not look like a written one.
    // A post that is not saved also has `saved: false`, but exists.
    let isNotSaved = answer["saved"]?.boolValue == false && answer["id"] == nil
    // On a terminal the sentence says it.
    if !isNotSaved || !Terminal.isOutput || output.isJSON { show(answer, to: method, place) }
    // For a user who types; a script's arguments are taken literally.
    if Terminal.isErrorOutput { for hint in params.hints(on: self.params) { Terminal.say("commonplace: \(hint)") } }
    if isNotSaved {
      throw place.voice.failure(.usage, Text("command.notSaved"))
    }
    let isOfMany = handles.params["ids"] != nil
    try place.report(
      ReplyFailures(answer, of: isOfMany ? method.resultOfMany ?? method.result : method.result))
  }

  /// Sends the request. If the method does not find the item, sends it again with the items that the params may mean
  /// besides ids.
  private func answer(
    to handles: inout HandleParams, _ params: CallParams, _ conversation: Conversation, _ lookup: ItemLookup
  ) async throws(Failure) -> JSONValue {
    let tried = handles.params
    let failure: Failure
    do {
      return try await ask(conversation, tried, params)
    } catch {
      failure = error
    }
    guard failure.kind == ErrorKind.notFound.rawValue, handles.mayBeLookedUp else { throw failure }
    try await handles.resolve(all: true, by: lookup)
    guard handles.params != tried else { throw await handles.unknown(by: lookup) ?? failure }
    return try await ask(conversation, handles.params, params)
  }

  private func show(_ answer: JSONValue, to description: MethodDescription, _ place: Place) {
    output.show(answer, to: description, asked: params, in: place)
  }

  private func ask(
    _ conversation: Conversation, _ object: JSONObject, _ params: CallParams
  ) async throws(Failure) -> JSONValue {
    var object = object
    if output.isAll {
      object = ListPaging.first(object, of: method)
    }
    return try await ask(conversation, method.name, .object(object), params)
  }

  /// Sends the request, and if a document needs a password and a user can be prompted, sends it again with the
  /// password. A few times, as a hidden password is easily mistyped.
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

extension Place {
  /// Reports how many of a request's items failed.
  ///
  /// - Throws: `Failure` with `allFailed` if all of them failed.
  func report(_ failures: ReplyFailures?) throws(Failure) {
    guard let failures else { return }
    if failures.isAll { throw voice.failure(.allFailed, Text("command.allFailed")) }
    let counts = ["failed": String(failures.failed), "tried": String(failures.tried)]
    Terminal.say("commonplace: " + voice.sentence(Text("command.partFailed", counts)))
  }
}

extension MethodDescription {
  /// Whether a reply is a list of items.
  var isList: Bool {
    guard case .object(let object) = result, case .array? = object[field: "items"]?.shape else { return false }
    return true
  }
}
