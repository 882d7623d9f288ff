import ArgumentParser

struct Call: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Call a method of the daemon and print the reply.",
    usage: "commonplace call <method> [<params> ...] [<options>]",
    discussion: """
      The parameters can be written in any of these ways, and mixed:

        commonplace call documents/add path=paper.pdf title='A paper'
        commonplace call documents/list '{"query": "a pap"}'
        echo '{"query": "a pap"}' | commonplace call documents/list -

        key=text        parsed as the method's type: a text, a number, true, false
        key:=json       any JSON: tags:='["a", "b"]', note:=null
        key=a key=b     a list; also key=a if the method expects a list;
                        key=a,b is one element: nothing is split
        outer.key=text  a member of an object
        key=@file       the contents of a file, byte for byte; for a value of
                        one line, such as a title, without the line end
        key=@-          the input
        key=@@text      a text that begins with @

      An id can be abbreviated to its beginning or end (9f3a), a number of the last list \
      in this terminal (%3), or a title in quotes ('"A paper"'). If several items match, \
      they are listed and nothing is done. page= counts from 0, as in the protocol; tables \
      and “commonplace open” count from 1.

      Paths may be relative. If a method returns the path of a picture, path=FILE copies \
      it there. Secrets are not accepted on the command line: pass key=@file, or key=@- to \
      be prompted on a terminal. A missing secret that the method requires is prompted \
      for, and so is the password of a document that needs one.

      In a pipe the reply is one line of JSON. On a terminal, lists, boards and days are \
      tables with the ids for other calls: • is unread, ★ is saved, ! is overdue or could \
      not be fetched, and matches of a search are highlighted. A single item is shown \
      whole, field by field; a requested text, such as a citation, is printed alone. --json \
      prints JSON on a terminal too, and errors as JSON on the error output. --all fetches \
      all pages of a list, and --lines prints one item per line. For other methods, \
      --lines calls the method for each line of the input, over one connection:

        commonplace call projects/add --lines < cards.jsonl

      Ctrl-C cancels the request and waits for its result. If nothing was saved because \
      the text was empty, the reply states it, and the status is 2. If some of several \
      items failed, the error output lists them; the status is 16 if all failed.

      “commonplace call <method> --help” explains one method; “commonplace describe” \
      lists them all.
      """,
    helpNames: [])

  @Argument(
    help: "The method, such as documents/add.",
    completion: .custom { _, _, prefix in MethodNames.all.filter { $0.hasPrefix(prefix) } })
  var method: String?

  @Argument(
    help: "The parameters.",
    completion: .custom { words, _, prefix in ParameterNames.matching(prefix, in: words) })
  var params: [String] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var lists: ListOptions

  @Option(help: "The language of sentences and dates, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  @Flag(name: [.short, .long], help: "Explain the method, or this command.")
  var help = false

  func validate() throws {
    if method == nil, !help { throw ValidationError("Name a method; “commonplace describe” lists them.") }
  }

  func run() async throws {
    guard let method else { throw CleanExit.helpRequest(self) }
    let place = try Place(library.options, locale: locale)
    let call = MethodCall(
      method: try place.method(method, commands: Commonplace.commandNames), params: params,
      output: lists.output(output), locale: locale, library: library.options)
    if help { call.writeHelp() } else { try await call.run() }
  }
}
