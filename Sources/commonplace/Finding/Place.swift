import ArgumentParser
import Daemon
import Display
import Features
import FoundationEssentials
import Kit
import Store
import Wire

/// The library's options, common to all commands.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The library's folder. Default: COMMONPLACE_LIBRARY, else the usual one.", valueName: "dir"),
    completion: .directory)
  var library: String?

  @Option(
    help: ArgumentHelp("The daemon's socket. Default: the standard one.", valueName: "path"), completion: .file())
  var socket: String?

  var options: Paths.Options { Paths.Options(library: library, socket: socket) }
}

/// The library's place, and its user's language: the first thing every command creates.
struct Place {
  let options: Paths.Options
  let environment: [String: String]
  let paths: Paths
  let voice: Voice

  init(
    _ options: Paths.Options = Paths.Options(), locale: String? = nil, features: [Feature] = AllFeatures.features,
    catalogue: Catalogue = Catalogue()
  ) throws(Failure) {
    environment = ProcessInfo.processInfo.environment
    var options = options
    if options.library == nil, let library = environment[Self.libraryVariable], !library.isEmpty {
      options.library = library
    }
    self.options = options
    voice = try Voice(environment: environment, locale: locale, features: features, catalogue: catalogue)
    do {
      paths = try Paths(environment: environment, options: options)
    } catch {
      throw voice.failure(error)
    }
  }

  /// Names the library's folder if `--library` does not.
  static let libraryVariable = "COMMONPLACE_LIBRARY"

  /// The time zone of this shell. Without one the daemon's applies, which `config.toml` may name.
  var zone: String? {
    guard environment["TZ"]?.isEmpty == false, Zone.unknownName(in: environment) == nil else { return nil }
    return voice.reader.zone.identifier
  }

  /// Otherwise days would silently differ from the user's.
  func warnOfUnknownZone() {
    guard let name = Zone.unknownName(in: environment) else { return }
    Terminal.say("commonplace: " + voice.sentence(Text("command.unknownZone", ["name": name])))
  }

  var folder: LibraryFolder { LibraryFolder(paths.library) }

  /// The socket at which a daemon of this library listens.
  func socket() throws(Failure) -> String {
    do {
      return try paths.socket()
    } catch {
      throw voice.failure(error)
    }
  }
}
