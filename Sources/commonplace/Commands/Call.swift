import ArgumentParser
import Contract

struct Call: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Ask the daemon for something and print its answer.",
    usage: "commonplace call <method> [<params> ...] [<options>]",
    discussion: """
      The parameters can be written in any of these ways, and mixed:

        commonplace call documents/add path=paper.pdf title='A paper'
        commonplace call documents/list '{"query": "a pap"}'
        echo '{"query": "a pap"}' | commonplace call documents/list -

        key=text        read as the method wants it: a text, a number, true, false
        key:=json       any JSON: tags:='["a", "b"]', note:=null
        key=a key=b     a list; so is key=a where the method wants a list, and
                        key=a,b is a list of one: nothing is split
        outer.key=text  a member of an object
        key=@file       what the file holds, byte for byte; of a value of one
                        line, such as a title, without the line end
        key=@-          what the input holds
        key=@@text      a text that begins with @

      An id may be its beginning or its end (9f3a), a number of the last list in this \
      terminal (%3), or a title in quotes ('"A paper"'). Where several items fit, they are \
      listed and nothing is done. page= counts from 0, as the protocol does; what is \
      shown, and “commonplace open”, count from 1.

      Paths may be relative. A method that answers the path of a picture copies it to \
      path=FILE. A secret is never taken from the command line: give it \
      as key=@file, or as key=@- to be asked for it on a terminal. One that the method \
      cannot do without is asked for by itself, and so is the password of a document \
      that turns out to want one.

      The answer is one line of JSON in a pipe. On a terminal lists, boards and days are \
      tables, with the ids that other calls take: • was not read, ★ is saved, ! is late or \
      could not be asked, and what a search has found is set off. One thing is shown whole, \
      name by name; a text that was asked for, such as a citation, stands alone. --json \
      prints JSON there too, and a failure as JSON on the error output. --all asks for all \
      parts of a list, and --lines prints an item a line. Of other methods, --lines makes a \
      call of each line of the input, over one connection:

        commonplace call projects/add --lines < cards.jsonl

      Ctrl-C cancels the request and waits for what \
      became of it. Where nothing was saved because there was nothing in it, the answer \
      says so, and the command ends with status 2. Where an answer lists what failed of \
      several things, the errors say so, and the status is 16 if nothing else came of it.

      “commonplace call <method> --help” tells about one method; “commonplace \
      describe” lists them all.
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

  @Flag(name: [.short, .long], help: "Tell about the method, or about this command.")
  var help = false

  func validate() throws {
    if method == nil, !help { throw ValidationError("Name a method; “commonplace describe” lists them.") }
  }

  func run() async throws {
    guard let method else { throw CleanExit.helpRequest(self) }
    let call = MethodCall(
      method: method, params: params, output: lists.output(output), locale: locale, library: library.options)
    if help { try call.writeHelp() } else { try await call.run() }
  }
}

/// How JSON is printed.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the answer on several lines, or on one. By default: as the output is a terminal or not.")
  var layout: Output.Layout?

  @Flag(help: "Print JSON on a terminal too, where there would be a table or a page.")
  var json = false

  var output: Output { Output(layout: layout, isJSON: json || layout != nil) }
}

/// How lists are printed.
struct ListOptions: ParsableArguments {
  @Flag(help: "One line of JSON for each item of a list. Of other methods: one call for each line of the input.")
  var lines = false

  @Flag(help: "Ask for all parts of a list.")
  var all = false

  func output(_ options: OutputOptions) -> Output {
    var output = options.output
    (output.isLines, output.isAll) = (lines, all)
    return output
  }
}

extension Output.Layout: EnumerableFlag {}
