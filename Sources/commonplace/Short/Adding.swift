import Client
import Contract
import Daemon
import Glibc
import Wire

/// Adds files, the PDF files of folders, and URLs, and reports the outcome of each.
struct Adding {
  private let sources: [String]
  /// Parameters of the method for one document, such as `title=A paper`.
  private let params: [String]
  private let output: Output
  private let place: Place

  init(_ words: [String], output: Output, in place: Place) {
    params = words.filter { Self.isParam($0, in: place) }
    sources = words.filter { !Self.isParam($0, in: place) }
    (self.output, self.place) = (output, place)
  }

  /// Whether a word is `name=value`, and not the name of a file. A misspelt name is one too, so that no value, which
  /// may be secret, is shown as the name of a missing file.
  private static func isParam(_ word: String, in place: Place) -> Bool {
    guard let equals = word.firstIndex(of: "=") else { return false }
    let name = word[..<equals].prefix { $0 != ":" && $0 != "." }
    return !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter }
      && access(AbsolutePath.of(word, in: place.environment), F_OK) != 0
  }

  /// The number of URLs that are added at once: each is read by a worker.
  private static let mostPending = 4
  /// The most paths of one `documents/addFiles`.
  private static let mostPaths = 1_000

  /// - Throws: `Failure` if nothing could be added.
  func run(_ library: Paths.Options, locale: String?) async throws {
    let urls = sources.filter(\.isURL)
    let paths = sources.filter { !$0.isURL }.map { AbsolutePath.of($0, in: place.environment) }
    guard !sources.isEmpty else { throw place.voice.failure(.usage, Text("command.addNeedsFile")) }
    let isFile = paths.first.map { !AbsolutePath.isFolder($0) } ?? !params.isEmpty
    if sources.count == 1, isFile {
      // With a prompt for its password.
      var output = output
      output.brief = Text("table.added")
      let source = paths.first.map { "path:=\(JSONValue.string($0))" } ?? "url:=\(JSONValue.string(sources[0]))"
      return try await MethodCall(
        method: place.method(KnownMethod.addDocument), params: [source] + params, output: output, locale: locale,
        library: library
      ).run()
    }
    if let param = params.first {
      let name = String(param.prefix { $0 != "=" && $0 != ":" })
      throw place.voice.failure(.usage, Text("command.addParamOfOne", ["name": name]))
    }
    var report = AddingReport()
    let conversation = try await Conversation.open(place, from: .shared)
    for start in stride(from: 0, to: paths.count, by: Self.mostPaths) {
      let part = Array(paths[start..<min(start + Self.mostPaths, paths.count)])
      report.add(try await add(part, conversation), of: part, place.voice)
    }
    if !urls.isEmpty { try await add(urls, to: &report, conversation) }
    await conversation.end()
    show(report)
    guard let first = report.failed.first else { return }
    if report.added + report.known == 0 {
      throw sources.count == 1 && report.failed.count == 1
        ? first.failure : place.voice.failure(.allFailed, Text("command.allFailed"))
    }
    let failed = report.failed.count
    let counts = ["failed": String(failed), "tried": String(failed + report.added + report.known)]
    Terminal.say("commonplace: " + place.voice.sentence(Text("command.partFailed", counts)))
  }

  /// The daemon's report of files and folders.
  private func add(_ paths: [String], _ conversation: Conversation) async throws(Failure) -> JSONValue {
    do throws(Failure) {
      return try await conversation.askPatiently(
        KnownMethod.addFiles, ["paths": .array(paths.map { .string($0) })])
    } catch {
      guard error.status == .cancelled else { throw error }
      throw place.voice.failure(.cancelled, Text("command.addCancelled"))
    }
  }

  private func add(_ urls: [String], to report: inout AddingReport, _ conversation: Conversation) async throws {
    let bar = Terminal.isErrorOutput && urls.count > 1 ? ProgressBar() : nil
    defer { bar?.clear() }
    var pending: [(url: String, reply: PendingReply)] = []
    var done = 0
    func finish(_ pending: (url: String, reply: PendingReply)) async {
      do {
        report.add(try await answer(to: pending.url, pending.reply, conversation))
      } catch {
        report.failed.append((pending.url, place.voice.failure(error)))
      }
      done += 1
      bar?.show([
        "kind": "report", "percentage": .integer(Int64(done * 100 / urls.count)),
        "message": .string("\(done) / \(urls.count)"),
      ])
    }
    for url in urls {
      pending.append((url, conversation.client.send(KnownMethod.addDocument, ["url": .string(url)])))
      if pending.count == Self.mostPending { await finish(pending.removeFirst()) }
    }
    for next in pending { await finish(next) }
  }

  /// A URL that is no PDF may be the URL of a feed. If it is neither, the error is the document's.
  private func answer(
    to url: String, _ reply: PendingReply, _ conversation: Conversation
  ) async throws -> JSONValue {
    do {
      return try await reply.value()
    } catch let error as RemoteError where error.kind == ErrorKind.notPDF.rawValue {
      let params: JSONValue = ["kind": .string(KnownMethod.feed), "url": .string(url)]
      guard let feed = try? await conversation.client.call(KnownMethod.addSource, params) else { throw error }
      return feed
    }
  }

  private func show(_ report: AddingReport) {
    guard Terminal.isOutput, !output.isJSON, !output.isLines, var shown = report.json.objectValue else {
      return output.show(report.json, to: nil, in: place)
    }
    var failures = report.failed.map { source, failure in
      failure.sentence.contains(source) ? failure.sentence : "\(source): \(failure.sentence)"
    }
    // A request for many files has no password: each may have another.
    if let locked = report.failed.first(where: { $0.failure.kind == ErrorKind.passwordRequired.rawValue }) {
      let file = ShellWord.quoted(locked.source)
      failures.append(place.voice.sentence(Text("command.addWithPassword", ["path": file])))
    }
    guard report.added + report.known > 0 else {
      if failures.count > 1 { for failure in failures { Terminal.say("commonplace: " + failure) } }
      return
    }
    let counts = ["added": String(report.added), "known": String(report.known), "failed": String(report.failed.count)]
    shown["display"] = ["heading": .string(place.voice.sentence(Text("command.added", counts)))]
    shown["warnings"] = .array(failures.map { ["message": .string($0)] })
    shown["failed"] = nil
    output.show(.object(shown), to: MethodNames.describe(KnownMethod.listDocuments), in: place)
  }
}

/// The outcomes of an `add`, as they are printed:
///
///     {"items": […], "added": 2, "known": 1, "failed": [{"path": "a.pdf", "failure": {"kind": "notPDF", …}}]}
///
/// An item of a file has its `path`, `id` and `title`, and `existing` if it is known; that of a URL is the document or
/// the feed.
struct AddingReport {
  private var items: [JSONValue] = []
  private(set) var added = 0
  private(set) var known = 0
  var failed: [(source: String, failure: Failure)] = []

  var json: JSONValue {
    let failures = failed.map { source, failure -> JSONValue in
      ["path": .string(source), "failure": failure.json["error"] ?? .null]
    }
    return [
      "items": .array(items), "added": .integer(Int64(added)), "known": .integer(Int64(known)),
      "failed": .array(failures),
    ]
  }

  /// Adds the document or the feed of a URL.
  mutating func add(_ item: JSONValue) {
    if item["existing"] == true { known += 1 } else { added += 1 }
    items.append(item)
  }

  /// Adds the daemon's report of these paths.
  mutating func add(_ reply: JSONValue, of paths: [String], _ voice: Voice) {
    added += reply["added"]?.integerValue.map(Int.init) ?? 0
    known += reply["existing"]?.integerValue.map(Int.init) ?? 0
    let files = reply["files"]?.arrayValue ?? []
    for file in files {
      let path = file["path"]?.stringValue ?? ""
      if file["outcome"] == "refused" {
        failed.append((path, Self.failure(file)))
      } else {
        items.append(Self.item(file, path))
      }
    }
    guard reply["unlisted"] == nil else { return }
    for folder in paths where AbsolutePath.isFolder(folder) && !files.contains(where: { Self.isIn(folder, $0) }) {
      failed.append((folder, voice.failure(.notFound, Text("command.folderWithoutPDF", ["path": folder]))))
    }
  }

  private static func item(_ file: JSONValue, _ path: String) -> JSONValue {
    var item: JSONObject = ["path": .string(path), "id": file["id"] ?? .null, "title": file["title"] ?? .null]
    if file["outcome"] == "existing" { item["existing"] = true }
    return .object(item)
  }

  /// The failure of a refused file. All kinds but the missing file are about the file itself.
  private static func failure(_ file: JSONValue) -> Failure {
    let kind = file["kind"]?.stringValue
    let isRefused = kind == ErrorKind.notAllowed.rawValue
    var failure = Failure(
      isRefused ? .file : ExitStatus(code: 0, kind: kind, key: nil), file["reason"]?.stringValue ?? "")
    failure.kind = kind
    return failure
  }

  /// Whether an outcome is of a folder or of a file in it.
  private static func isIn(_ folder: String, _ file: JSONValue) -> Bool {
    guard let path = file["path"]?.stringValue else { return false }
    let beginning = folder.utf8.last == 0x2F ? folder : folder + "/"
    return sameBytes(path, folder) || path.utf8.starts(with: beginning.utf8)
  }
}

extension String {
  var isURL: Bool {
    ["http://", "https://"].contains { lowercased().hasPrefix($0) }
  }
}
