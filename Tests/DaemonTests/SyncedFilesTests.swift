import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// Files that are promised to be on the disk when a reply says so. Watched from outside, with strace.
@Suite(
  .serialized, .enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed: scripts/install does it"))
struct SyncedFilesTests {
  /// A request, and the file or folder that its reply promises.
  private struct Promise {
    var method: String
    var params: JSONObject
    var target: String
  }

  @Test(
    "every file that a reply promises was synced before it got its name, and the folder of the name before the reply")
  func promises() async throws {
    let folder = TemporaryFolder()
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let client = try await daemon.client()
    let blobs = Blobs(folder: folder.file("library/blobs"))
    let file = Data(SamplePDF.carrying.bytes)
    let added = try await client.call("documents/add", ["data": .string(file.base64EncodedString()), "title": "one"])
    let document = try #require(added["id"])
    _ = try await client.call("documents/setMemo", ["id": document, "page": 0, "text": "a note"])
    _ = try await client.call("documents/update", ["id": document, "bibliography": ["type": "book", "title": "one"]])
    _ = try await client.call("diary/add", ["text": "an entry"])
    _ = try await client.call("notes/add", ["text": "a note"])
    _ = try await client.call("projects/add", ["title": "a card"])
    let existing = folder.file("existing.jsonl")
    try Data("old".utf8).write(to: URL(filePath: existing))

    var promises: [Promise] = []
    func promise(_ method: String, _ name: String, _ params: JSONObject = [:]) {
      var params = params
      params["path"] = .string(folder.file(name))
      promises.append(Promise(method: method, params: params, target: folder.file(name)))
    }
    promise("library/backup", "backup")
    promise("library/export", "library.tar")
    promise("library/exportItems", "cards.csv", ["collection": "projects", "format": "csv"])
    promise("diary/export", "diary", ["format": "markdown"])
    promise("diary/export", "diary.jsonl", ["format": "jsonl"])
    promise("diary/export", "existing.jsonl", ["format": "jsonl", "overwrite": true])
    promise("notes/export", "notes", ["format": "markdown"])
    promise("notes/export", "notes.jsonl", ["format": "jsonl"])
    promise("projects/export", "projects.jsonl", ["format": "jsonl"])
    promise("books/export", "books.csv", ["format": "csv"])
    promise("boards/export", "sources.opml")
    promise("documents/export", "marks.md", ["id": document, "format": "markdown"])
    promise("documents/export", "copy.pdf", ["id": document, "format": "pdf"])
    promise("documents/exportBibliography", "library.bib", ["format": "bibtex"])
    promise("documents/exportBibliography", "bibliography", ["format": "bibtex", "files": true])
    promise("documents/saveAttachment", "attachment", ["id": document, "attachment": 0])
    for promise in promises { _ = try await client.call(promise.method, .object(promise.params)) }
    let newer = Data(SamplePDF(pages: [.init(["a newer page"])]).bytes)
    _ = try await client.call("documents/refresh", ["id": document, "data": .string(newer.base64EncodedString())])
    let photos = [
      ("files/add", Data("a file".utf8)), ("diary/attach", Data("a photo".utf8)), ("notes/attach", Data("a scan".utf8)),
      ("projects/attach", Data("a receipt".utf8)),
    ]
    for (method, bytes) in photos {
      var params: JSONObject = ["data": .string(bytes.base64EncodedString())]
      if method != "files/add" {
        params["id"] = try await client.call(method.replacing("attach", with: "list"))["items"]?[0]?["id"]
      }
      _ = try await client.call(method, .object(params))
    }
    // After the last change of an entry and of a note, so that each is written once.
    let mirrors = [("diary/mirror", folder.file("mirror")), ("notes/mirror", folder.file("noteMirror"))]
    for (method, mirror) in mirrors {
      #expect(try await client.call(method, ["path": .string(mirror)])["state"] == "current", "\(method)")
    }
    let sources = [
      ("documents/addFiles", "named.pdf", Data(SamplePDF(pages: [.init(["a named page"])]).bytes)),
      ("documents/watch", "watched/found.pdf", Data(SamplePDF(pages: [.init(["a found page"])]).bytes)),
    ]
    try FileManager.default.createDirectory(atPath: folder.file("watched"), withIntermediateDirectories: true)
    for (_, name, bytes) in sources { try bytes.write(to: URL(filePath: folder.file(name))) }
    _ = try await client.call("documents/addFiles", ["paths": [.string(folder.file("named.pdf"))]])
    #expect(try await client.call("documents/watch", ["path": .string(folder.file("watched"))])["count"] == 1)
    let methods = try await client.call("rpc.discover")["methods"]?.arrayValue ?? []
    await client.close()
    await daemon.stop()

    let blobFiles = [("documents/add", file), ("documents/refresh", newer)] + photos + sources.map { ($0.0, $0.2) }
    for (method, bytes) in blobFiles {
      let blob = try blobs.path(named: Blobs.hash(of: Array(bytes)))
      promises.append(Promise(method: method, params: [:], target: blob))
    }
    let promised = Set(promises.map(\.method)).union(mirrors.map(\.0)).union(["library/import"])
    let withFiles = methods.filter { $0["x-effects"]?.arrayValue?.contains("files") == true }
    let names = Set(withFiles.compactMap { $0["name"]?.stringValue }.filter { !$0.hasPrefix("toys/") })
    #expect(names.subtracting(promised) == Self.exempt)
    #expect(promised.subtracting(names) == [])
    let events = try Trace(log: log).events
    for (_, mirror) in mirrors { try check(mirror: mirror, in: events) }
    for promise in promises {
      let label = "\(promise.method) to \((promise.target as NSString).lastPathComponent)"
      try check(promise.target, in: events, label: label)
    }
  }

  /// Methods that only read files, that write files which are made anew, or that remove files.
  private static let exempt: Set<String> = [
    "boards/import", "books/import", "diary/import", "documents/fromSource", "documents/importBibliography",
    "documents/locateSource", "documents/render",
    "documents/markPicture", "documents/thumbnail", "files/content", "files/thumbnail", "library/check",
    "notes/import", "projects/addCalendar", "projects/import", "text/path",
  ]

  @Test("the files of an archive are synced before they get their names in another library")
  func importedFiles() async throws {
    let source = try await DaemonProcess(in: TemporaryFolder())
    let owner = try await source.client()
    let file = Data(SamplePDF(pages: [.init(["a page"])]).bytes)
    _ = try await owner.call("documents/add", ["data": .string(file.base64EncodedString())])
    let archive = source.folder.file("library.tar")
    _ = try await owner.call("library/export", ["path": .string(archive)])
    let folder = TemporaryFolder()
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let client = try await daemon.client()
    #expect(try await client.call("library/import", ["path": .string(archive)])["blobs"] == 1)
    await client.close()
    await daemon.stop()
    await source.stop()
    let blob = try Blobs(folder: folder.file("library/blobs")).path(named: Blobs.hash(of: Array(file)))
    try check(blob, in: Trace(log: log).events, label: "library/import")
  }

  @Test("the key of a shared library and the files for other devices are synced before they get their names")
  func sharedFiles() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let log = folder.file("trace")
    let daemon = try await DaemonProcess(in: folder, traced: log)
    let client = try await daemon.client()
    _ = try await client.call("notes/add", ["text": "a note"])
    _ = try await client.call("files/add", ["data": "YSBwaG90bw=="])
    let shared = try await client.call("sync/setUp", ["target": "folder", "url": .string(place.path)])
    #expect(shared["isNew"] == true)
    await client.close()
    await daemon.stop()
    let events = try Trace(log: log).events
    let named = Set(
      events.compactMap { event -> String? in if case .renamed(_, let name) = event { name } else { nil } })
    for home in [place.path, folder.file("state/sync")] {
      let files = named.filter { $0.hasPrefix(home + "/") }
      #expect(!files.isEmpty, "\(home)")
      for file in files { try check(file, in: events, label: file) }
    }
    // A folder in a folder is there after a power cut, too, before anything in it counts.
    let made = events.enumerated().compactMap { event -> (index: Int, path: String)? in
      guard case .made(let path) = event.element, path.hasPrefix(place.path + "/") else { return nil }
      return (event.offset, path)
    }
    #expect(made.contains { $0.path.dropFirst(place.path.count + 1).contains("/") })
    for (index, path) in made {
      let parent = (path as NSString).deletingLastPathComponent
      let next = events[index...].first {
        switch $0 {
        case .synced(parent): true
        case .renamed(_, let name): name.hasPrefix(path + "/")
        default: false
        }
      }
      guard case .synced? = next else {
        Issue.record("\(path): its folder is not synced before it has a file")
        continue
      }
    }
  }

  /// The files of a mirror come one by one, and all are synced with the folder before a reply states that they are
  /// current.
  private func check(mirror: String, in events: [Trace.Event]) throws {
    let mirrored = events.lastIndex { if case .appended(let file) = $0 { file.hasPrefix(mirror + "/") } else { false } }
    let rest = events[(try #require(mirrored, "\(mirror)"))...]
    let synced = rest.firstIndex { if case .syncedAll(mirror, _) = $0 { true } else { false } }
    let told = rest.firstIndex {
      if case .sent(let bytes) = $0 { String(decoding: bytes, as: UTF8.self).contains(#""current""#) } else { false }
    }
    #expect(try #require(synced, "\(mirror)") < #require(told, "\(mirror)"))
    // A disk that fails reports it to the descriptors that are open then. The one that is synced is the folder's as it
    // was opened last, and that was before the first file.
    guard case .syncedAll(_, let descriptor) = try events[#require(synced)] else { return }
    let opened = events[..<(try #require(synced))].lastIndex {
      if case .opened(_, descriptor) = $0 { true } else { false }
    }
    // Behind the folder's marker, which is written before there is a mirror.
    let first = events.firstIndex { event in
      if case .appended(let file) = event { file.hasPrefix(mirror + "/") && file.contains(".md") } else { false }
    }
    #expect(try #require(opened) < #require(first))
  }

  /// - Parameter target: a file or folder that got its name by a rename or a link.
  private func check(_ target: String, in events: [Trace.Event], label: String) throws {
    let named = events.lastIndex { if case .renamed(_, target) = $0 { true } else { false } }
    let end = try #require(named, "\(label): no rename")
    guard case .renamed(let part, _) = events[end] else { return }
    var disk = Unsynced(root: part)
    for event in events[..<end] { disk.apply(event) }
    #expect(disk.isWritten, "\(label): nothing was written into it")
    #expect(disk.files.isEmpty, "\(label): files are not synced before the rename")
    #expect(disk.folders.isEmpty, "\(label): folders are not synced before the rename")
    // One client that waits for each reply: the next result is this request's.
    let parent = (target as NSString).deletingLastPathComponent
    let next = events[(end + 1)...].first {
      switch $0 {
      case .synced(parent): true
      case .sent(let bytes): String(decoding: bytes, as: UTF8.self).contains(#""result""#)
      default: false
      }
    }
    guard case .synced? = next else {
      Issue.record("\(label): the folder of its name is not synced before the reply")
      return
    }
  }
}

/// What a power cut could take away from a file or folder that is being written.
private struct Unsynced {
  /// The file or folder.
  let root: String
  private(set) var files: Set<String> = []
  private(set) var folders: Set<String> = []
  private(set) var isWritten = false
  private var synced: Set<String> = []

  init(root: String) {
    self.root = root
  }

  mutating func apply(_ event: Trace.Event) {
    switch event {
    case .write(let file, _, _), .appended(let file), .truncate(let file, _):
      // A rollback journal is gone when its commit is on the disk, and an index of a log is made anew from the log.
      guard isInside(file), !file.hasSuffix("-journal"), !file.hasSuffix("-shm") else { return }
      files.insert(file)
      addFolders(of: file)
      isWritten = true
    case .renamed(let from, let to):
      guard isInside(to) else { return }
      if files.remove(from) != nil || !synced.contains(from) { files.insert(to) }
      addFolders(of: to)
      isWritten = true
    case .synced(let path):
      files.remove(path)
      folders.remove(path)
      synced.insert(path)
    case .syncedAll:
      files = []
      folders = []
    case .sent, .opened, .made: break
    }
  }

  private func isInside(_ path: String) -> Bool {
    path == root || path.hasPrefix(root + "/")
  }

  /// All folders from the root to the one that holds the path's name.
  private mutating func addFolders(of path: String) {
    var folder = path
    while folder != root {
      folder = (folder as NSString).deletingLastPathComponent
      folders.insert(folder)
    }
  }
}
