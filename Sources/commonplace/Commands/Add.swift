import ArgumentParser
import Daemon
import Wire

struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add documents, or follow a feed.",
    discussion: """
      A folder and its subfolders are searched for PDF files; hidden files and links are \
      ignored. A URL that is not a PDF is added as a feed. Existing documents and feeds \
      are not added again. A file or folder that cannot be read is reported, and the \
      others are added; the status is 16 if nothing could be added. Ctrl-C keeps what was \
      added.

      A single file or URL can be followed by parameters of documents/add. A PDF's password \
      is prompted for on a terminal; a script gives password=@file.

        commonplace add paper.pdf ~/papers https://example.org/feed.xml
        commonplace add paper.pdf title='A paper' tags=rivers
      """)

  @Argument(
    help: ArgumentHelp("Files, folders and URLs; for a single one also name=value.", valueName: "file|dir|url"),
    completion: .file())
  var sources: [String]

  @OptionGroup var output: OutputOptions
  @OptionGroup var lists: ListOptions

  @Option(help: "The language of sentences, such as ko-KR.")
  var locale: String?

  @OptionGroup var library: LibraryOptions

  func run() async throws {
    try await Adding(sources, output: lists.output(output), in: Place(library.options, locale: locale))
      .run(library.options, locale: locale)
  }
}
