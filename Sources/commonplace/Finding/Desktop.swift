import FoundationEssentials
import Glibc
import Threads

/// The programs that open files and URLs on a desktop.
struct Desktop {
  private let environment: [String: String]
  private let folders: [String]

  /// Nil without a desktop.
  init?(_ environment: [String: String]) {
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else { return nil }
    self.environment = environment
    folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    guard viewer != nil || path(of: "xdg-open") != nil else { return nil }
  }

  /// Starts it and does not wait: the viewer may stay open for hours.
  ///
  /// - Parameter page: of a PDF, from 1.
  func open(_ target: String, page: Int?) {
    let command = target.hasSuffix(".pdf") ? Self.command(pdfViewer, showing: target, page: page) : nil
    let (program, arguments) = command ?? ("xdg-open", [target])
    guard let path = path(of: program) ?? path(of: "xdg-open") else { return }
    _ = try? Spawn.start(
      path, path.hasSuffix(program) ? arguments : [target], input: .none, output: .none, errors: .none,
      terminal: [SIGINT, SIGQUIT])
  }

  /// `PDFVIEWER`, with its options.
  private var viewer: [String]? {
    let words = (environment["PDFVIEWER"] ?? "").split(separator: " ").map(String.init)
    return words.first.flatMap(path) == nil ? nil : words
  }

  private var pdfViewer: [String] { viewer ?? usualViewer ?? [] }

  /// The desktop's program for PDFs: `evince` for `org.gnome.Evince.desktop`. Only of programs that can begin at a page.
  private var usualViewer: [String]? {
    guard let query = path(of: "xdg-mime"), let pipe = try? Spawn.pipe(for: query) else { return nil }
    defer { close(pipe.read) }
    let process = try? Spawn.start(
      query, ["query", "default", "application/pdf"], input: .none, output: .descriptor(pipe.write), errors: .none)
    close(pipe.write)
    guard let process else { return nil }
    let answer = Self.line(from: pipe.read).lowercased()
    // A program that prints nothing, or does not end after its answer, is not waited for.
    kill(process, SIGKILL)
    _ = Spawn.status(of: process)
    return Self.pageOptions.first { answer.contains($0.program) && path(of: $0.program) != nil }.map { [$0.program] }
  }

  /// The arguments before the file and after it with which a viewer begins at a page, from 1, as their manuals have them.
  private static let pageOptions: [(program: String, before: String?, isBare: Bool)] = [
    ("evince", "--page-index=", false), ("atril", "--page-index=", false), ("okular", "--page=", false),
    ("zathura", "--page=", false), ("xpdf", nil, true), ("mupdf", nil, true),
  ]

  /// A command that shows a page of a file; nil without a viewer.
  static func command(_ viewer: [String], showing file: String, page: Int?) -> (program: String, arguments: [String])? {
    guard let program = viewer.first else { return nil }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let options = Array(viewer.dropFirst())
    guard let page, let way = pageOptions.first(where: { name.hasPrefix($0.program) }) else {
      return (program, options + [file])
    }
    if way.isBare { return (program, options + [file, String(page)]) }
    return (program, options + [(way.before ?? "") + String(page), file])
  }

  private func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    return folders.lazy.map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
  }

  /// The first line of a program's short answer; empty if none comes within two seconds.
  private static func line(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, 2_000) > 0 else { return "" }
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self) : ""
  }
}
