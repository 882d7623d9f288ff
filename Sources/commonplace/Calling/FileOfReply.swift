import Contract
import FoundationEssentials
import Glibc
import Store
import Wire

/// The target for a copy of a file that a reply names, such as a picture of a page: `path=page.png` for a method that
/// takes no path itself and returns one.
struct FileOfReply {
  private let path: String
  private let replaces: Bool
  private let place: Place

  /// Extracts its parameters from the params; nil if no copy is requested, or if the method takes a path itself.
  ///
  /// - Throws: `Failure` if the path exists and was not to be replaced.
  init?(takenFrom params: inout JSONObject, of method: MethodDescription, in place: Place) throws(Failure) {
    guard let text = params["path"]?.stringValue, method.params.field(at: ["path"]) == nil,
      method.result.field(at: ["path"]) != nil
    else { return nil }
    params["path"] = nil
    replaces = params["overwrite"].map { $0 == true || $0 == "true" } ?? false
    if method.params.field(at: ["overwrite"]) == nil { params["overwrite"] = nil }
    path = AbsolutePath.of(text, in: place.environment)
    self.place = place
    var information = stat()
    if !replaces, lstat(path, &information) == 0 { throw place.fileExists(path) }
  }

  /// The reply with the path of the copy.
  ///
  /// - Throws: `Failure` if the file cannot be written.
  func copied(from reply: JSONValue) throws(Failure) -> JSONValue {
    guard var object = reply.objectValue, let source = object["path"]?.stringValue else { return reply }
    let partial = path + ".\(getpid()).partial"
    do {
      try FileManager.default.copyItem(atPath: source, toPath: partial)
    } catch {
      throw place.voice.failure(.file, Text("command.notWritten", ["path": path, "reason": errorSentence(error)]))
    }
    // A link, unlike a rename, does not replace a file that was created meanwhile.
    let isPlaced = replaces ? rename(partial, path) == 0 : link(partial, path) == 0
    let number = errno
    unlink(partial)
    guard isPlaced else {
      if number == EEXIST { throw place.fileExists(path) }
      let reason = String(cString: strerror(number))
      throw place.voice.failure(.file, Text("command.notWritten", ["path": path, "reason": reason]))
    }
    object["path"] = .string(path)
    return .object(object)
  }
}

extension Place {
  fileprivate func fileExists(_ path: String) -> Failure {
    voice.failure(.conflict, Text("command.fileExists", ["path": path]))
  }
}
