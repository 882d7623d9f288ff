import ArgumentParser
import Wire

/// The common arguments of all short forms.
struct ShortFormArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Words, and parameters of the method as name=value.", valueName: "words"),
    completion: .custom { words, _, prefix in ItemCompletion().words(prefix, in: words) })
  var words: [String] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var lists: ListOptions

  @Option(help: "The language of sentences and dates, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run(_ form: ShortForm) async throws {
    try await form.run(words, lists.output(output), locale: locale, library.options)
  }
}

struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Search everything in the library.",
    discussion: """
      The words are a query, which “commonplace describe search/query” explains. You can \
      mix in other parameters of that method:

        commonplace search slow river
        commonplace search 'title:paper tag:work' limit=50
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.search) }
}

struct Today: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the day: entries, what is due, and what happened.",
    discussion: """
      For another day write day=yesterday, or any other that “commonplace describe \
      diary/day” accepts.
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.today) }
}

struct Agenda: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is overdue, and what the coming days bring.",
    discussion: """
      Seven days from today; write another first day, or days=14.

        commonplace agenda
        commonplace agenda next monday days=14
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.agenda) }
}

struct Next: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the most urgent cards that can be worked on.",
    discussion: """
      Ten cards of all boards, the most urgent first, without those that wait for others \
      or are for later. Words and the parameters of projects/list narrow them:

        commonplace next
        commonplace next tag=+home limit=5
        commonplace next board=Garden
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.next) }
}

struct Note: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an entry into today's diary.",
    discussion: """
      The first line is the title. Without a text, your editor ($VISUAL, else $EDITOR) is \
      started; “-” reads the text from the input. For another day write day=yesterday. If \
      config.toml has diary.template, an empty day begins in the editor with the text of \
      that note. A note that belongs to no day is written with “jot”.

        commonplace note A walk along the river.
        commonplace note template='Morning pages'
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.note) }
}

struct Jot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a note that belongs to no day.",
    discussion: """
      The first line is the title; title= gives it apart from the text. Without a text, \
      your editor ($VISUAL, else $EDITOR) is started; “-” reads the text from the input.

        commonplace jot Water the figs on Mondays.
        commonplace jot By Frank Herbert. title=Dune tags=novel
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.jot) }
}

struct Do: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add a card to the board.",
    discussion: """
      Without a deadline the card is due today. Dates, times, recurrences, #tags, +projects \
      and a priority such as !1 are read from the words, and so are due:friday, start:monday, \
      project:garden and priority:H; “commonplace done” finishes the card.

        commonplace do Return the book next friday 9am
        commonplace do Paint the door project:home due:friday
        commonplace do Return the book deadline=friday tags=errands
        commonplace do Learn Latin deadline:=null
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.task) }
}

struct Done: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finish a card.",
    discussion: """
      Moves the card to the closed column of its board; a recurring card gets its next \
      one. Several cards can be named by their numbers in the last list. “commonplace \
      undo” opens it again.

        commonplace done Return the book
        commonplace done %1 %3
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.done) }
}

struct Keep: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keep a web page to read later.",
    discussion: """
      Stores the article of the page as a saved post; keeping the page again updates it.

        commonplace keep https://example.org/lunch tags=food
        commonplace keep https://example.org/lunch quote='At noon, as always.'
        commonplace search is:page
      """)
  @OptionGroup var arguments: ShortFormArguments
  func run() async throws { try await arguments.run(.keep) }
}

struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo your last change.",
    discussion: """
      Reverts this client's most recent change. All commands are one client, unless \
      COMMONPLACE_CLIENT names another. clock=N undoes the change with that number. \
      --client NAME undoes all changes of that client, such as an agent's session, the \
      newest first; those whose items have changed since stay.
      """)

  @Option(help: ArgumentHelp("Undo all changes of the client with this name.", valueName: "name"))
  var client: String?

  @OptionGroup var arguments: ShortFormArguments

  func run() async throws {
    guard let client else { return try await arguments.run(.undo) }
    let place = try Place(arguments.library.options, locale: arguments.locale)
    guard arguments.words.isEmpty else { throw place.voice.failure(.usage, Text("command.undoClientAlone")) }
    try await ClientUndo(place: place, client: client).run()
  }
}
