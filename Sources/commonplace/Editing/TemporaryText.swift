import FoundationEssentials
import Glibc
import Wire

/// A file of the user's alone for a text that is being edited.
final class TemporaryText {
  let path: String
  /// The content that was last written into it here.
  private(set) var written: String
  /// Whether that was another version beside what was edited.
  private(set) var isConflict = false
  private let place: Place

  private static let mostBytes = 64 << 20

  init(_ text: String, _ place: Place) throws(Failure) {
    self.place = place
    written = text
    let folder = place.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(folder)/commonplace-XXXXXX.md".utf8CString)
    // Mode 0600 from the first moment.
    let descriptor = mkstemps(&name, 3)
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw failed() }
    let isWhole = Terminal.write(text, to: descriptor)
    close(descriptor)
    guard isWhole else {
      remove()
      throw failed()
    }
  }

  /// Replaces the text by both versions of a conflict.
  func rewrite(_ text: String) throws(Failure) {
    let partial = path + ".new"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failed() }
    let isWhole = Terminal.write(text, to: descriptor)
    close(descriptor)
    guard isWhole, rename(partial, path) == 0 else {
      unlink(partial)
      throw failed()
    }
    (written, isConflict) = (text, true)
  }

  /// Nil for a file that is gone, is no UTF-8, or is larger than any item.
  func read() -> String? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_size <= Self.mostBytes,
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }

  func remove() { unlink(path) }

  /// The content that the user's editor leaves in it.
  ///
  /// - Throws: `Failure` for an editor that failed, and for a file that cannot be read any more. Where something was
  ///   written, the failure names the file; otherwise the file is removed.
  func edited() throws(Failure) -> String {
    let editor = Editor(place.environment)
    let status = editor.edit(path)
    let content = read()
    guard status == 0 else {
      let text =
        status == Editor.notFound
        ? Text("command.noEditor", ["command": editor.command])
        : Text("command.editorFailed", ["status": String(status)])
      let failure = place.voice.failure(.failed, text)
      if isConflict || content.map({ !sameBytes($0, written) }) == true { throw named(in: failure) }
      remove()
      throw failure
    }
    guard let content else { throw named(in: place.voice.failure(.usage, Text("command.notUTF8", ["name": path]))) }
    return content
  }

  /// The failure with the path of the file that contains what was written.
  func named(in failure: Failure) -> Failure {
    var failure = failure
    failure.details.append(place.voice.sentence(Text("command.editKept", ["path": path])))
    return failure
  }

  private func failed() -> Failure {
    place.voice.failure(
      .file, Text("command.notWritten", ["path": path, "reason": String(cString: strerror(errno))]))
  }
}
