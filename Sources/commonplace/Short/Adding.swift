import Client
import Contract
import Daemon
import FoundationEssentials
import Glibc
import Wire

/// Adds files, the PDF files of folders, and URLs, several at a time, and reports the outcome of each.
struct Adding {
  let sources: [String]
  let output: Output
  let place: Place

  /// The number of files that are added at once: each is read by a worker.
  private static let mostPending = 4

  /// The result, as it is printed: `{"items": […], "added": 2, "known": 1, "failed": [{"path": …, "failure": …}]}`.
  private struct Report {
    var items: [JSONValue] = []
    var added = 0
    var known = 0
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
  }

  /// - Throws: `Failure` if nothing could be added.
  func run(_ library: Paths.Options, locale: String?) async throws {
    if sources.count == 1, let source = sources.first, !source.isURL, !AbsolutePath.isFolder(path(source)) {
      // With a prompt for its password.
      var output = output
      output.isBrief = true
      return try await MethodCall(
        method: KnownMethod.addDocument, params: ["path:=\(JSONValue.string(path(source)))"], output: output,
        locale: locale, library: library
      ).run()
    }
    var report = Report()
    var given: [String] = []
    for source in sources {
      guard !source.isURL, AbsolutePath.isFolder(path(source)) else {
        given.append(source.isURL ? source : path(source))
        continue
      }
      let folder = PDFFolder(path(source))
      given += folder.files
      for failure in folder.failures {
        let text = Text(
          "command.unreadable", ["path": failure.path, "reason": String(cString: strerror(failure.errno))])
        report.failed.append((failure.path, place.voice.failure(.file, text)))
      }
      if folder.isCut {
        let text = Text("command.folderTooLarge", ["path": source, "limit": String(PDFFolder.mostFiles)])
        report.failed.append((source, place.voice.failure(.file, text)))
      } else if folder.files.isEmpty, folder.failures.isEmpty {
        let text = Text("command.folderWithoutPDF", ["path": source])
        report.failed.append((source, place.voice.failure(.notFound, text)))
      }
    }
    if !given.isEmpty {
      let conversation = try await Conversation.open(place, from: .shared)
      try await add(given, to: &report, conversation)
      await conversation.end()
    }
    show(report)
    guard let first = report.failed.first else { return }
    if report.items.isEmpty {
      throw sources.count == 1 && report.failed.count == 1
        ? first.failure : place.voice.failure(.allFailed, Text("command.allFailed"))
    }
    let counts = ["failed": String(report.failed.count), "tried": String(report.failed.count + report.items.count)]
    Terminal.say("commonplace: " + place.voice.sentence(Text("command.partFailed", counts)))
  }

  private func path(_ source: String) -> String { AbsolutePath.of(source, in: place.environment) }

  private func add(_ given: [String], to report: inout Report, _ conversation: Conversation) async throws {
    let bar = Terminal.isErrorOutput && given.count > 1 ? ProgressBar() : nil
    defer { bar?.clear() }
    var pending: [(source: String, reply: PendingReply)] = []
    var done = 0
    func finish(_ pending: (source: String, reply: PendingReply)) async {
      do {
        let reply = try await answer(to: pending.source, pending.reply, conversation)
        if reply["existing"] == true { report.known += 1 } else { report.added += 1 }
        report.items.append(reply)
      } catch {
        report.failed.append((pending.source, place.voice.failure(error)))
      }
      done += 1
      bar?.show([
        "kind": "report", "percentage": .integer(Int64(done * 100 / given.count)),
        "message": .string("\(done) / \(given.count)"),
      ])
    }
    for source in given {
      let params: JSONValue = source.isURL ? ["url": .string(source)] : ["path": .string(source)]
      pending.append((source, conversation.client.send(KnownMethod.addDocument, params)))
      if pending.count == Self.mostPending { await finish(pending.removeFirst()) }
    }
    for next in pending { await finish(next) }
  }

  /// A URL that is no PDF may be the URL of a feed. If it is neither, the error is the document's.
  private func answer(
    to source: String, _ reply: PendingReply, _ conversation: Conversation
  ) async throws -> JSONValue {
    do {
      return try await reply.value()
    } catch let error as RemoteError where source.isURL && error.kind == ErrorKind.notPDF.rawValue {
      let params: JSONValue = ["kind": .string(KnownMethod.feed), "url": .string(source)]
      guard let feed = try? await conversation.client.call(KnownMethod.addSource, params) else { throw error }
      return feed
    }
  }

  private func show(_ report: Report) {
    guard Terminal.isOutput, !output.isJSON, !output.isLines, var shown = report.json.objectValue else {
      return output.show(report.json, to: nil, in: place)
    }
    let failures = report.failed.map { source, failure in
      failure.sentence.contains(source) ? failure.sentence : "\(source): \(failure.sentence)"
    }
    guard !report.items.isEmpty else {
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

extension String {
  var isURL: Bool {
    ["http://", "https://"].contains { lowercased().hasPrefix($0) }
  }
}
