import ArgumentParser
import Contract
import FoundationEssentials
import Wire

struct Mail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Store a mail message from the input as a note.",
    discussion: """
      For a pipe of a mail program: the input is one message. Its attachments are stored with \
      the note. The same message again changes nothing.

        commonplace mail < message.eml

      In mutt “| commonplace mail”; in ~/.forward or a rule of procmail “|commonplace mail”. \
      If the message cannot be stored the status is not 0, and the mail program keeps it.
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var lists: ListOptions

  @Option(help: "The language of sentences, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    let place = try Place(library.options, locale: locale)
    let data = JSONValue.string(Data(Input.all()).base64EncodedString())
    try await MethodCall(
      method: place.method("notes/import"), params: ["format=eml", "data:=\(data)"], output: lists.output(output),
      locale: locale, library: library.options
    ).run()
  }
}
