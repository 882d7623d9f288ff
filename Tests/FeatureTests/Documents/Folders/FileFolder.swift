import Foundation
import TestSupport
import Wire

/// A folder of PDFs outside of the library.
struct FileFolder {
  let path: String

  /// A new one beside the library of a daemon.
  init(_ name: String, in folder: TemporaryFolder) throws {
    path = folder.file(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The path without links, which a confined client names.
  var real: String { URL(filePath: path).resolvingSymlinksInPath().path }

  /// Writes a file as editors do: a new one takes the place of the old one.
  func write(_ name: String, _ sample: SamplePDF) throws { try write(name, Data(sample.bytes)) }

  func write(_ name: String, _ bytes: Data) throws {
    let parent = (file(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: file(name)), options: .atomic)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: file(name), toPath: file(other))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }
}
