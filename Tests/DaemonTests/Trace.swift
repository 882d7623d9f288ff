import Foundation
import Testing

/// What a traced daemon asked of the kernel, in order.
struct Trace {
  enum Event {
    /// Bytes given to a file; they may be lost until it is synced.
    case write(file: String, offset: Int, bytes: [UInt8])
    /// Bytes given to a file at its end.
    case appended(file: String)
    case truncate(file: String, length: Int)
    /// The file's earlier writes are on disk from here on.
    case synced(file: String)
    /// All earlier writes to the file system of this folder are on disk from here on.
    case syncedAll(folder: String, descriptor: Int)
    /// From here on the descriptor is this file's or folder's.
    case opened(path: String, descriptor: Int)
    /// A folder was made, or was there.
    case made(folder: String)
    /// A file or folder got this name; its old one may be kept beside it (`link`).
    case renamed(from: String, to: String)
    /// Bytes given to a socket.
    case sent([UInt8])
  }

  private(set) var events: [Event] = []

  /// Writes count from their beginning and syncs from their end, so that what overlaps is taken for the worse.
  init(log: String) throws {
    let text = try String(contentsOfFile: log, encoding: .utf8)
    var syncing: [Substring: Event] = [:]
    for line in text.split(separator: "\n") {
      guard let blank = line.firstIndex(of: " ") else { continue }
      let thread = line[..<blank]
      let call = line[blank...].drop { $0 == " " }
      // Begun by this line or by an earlier one.
      if call.hasPrefix("openat(") || call.hasPrefix("<... openat resumed") {
        if let opened = Self.opened(by: call) { events.append(opened) }
        continue
      }
      if call.hasPrefix("<... ") {
        if call.contains("sync"), call.hasSuffix("= 0"), let event = syncing.removeValue(forKey: thread) {
          events.append(event)
        }
        continue
      }
      guard let name = call.firstIndex(of: "(") else { continue }
      switch call[..<name] {
      case "fsync", "fdatasync", "syncfs":
        let file = Self.path(in: call)
        let event: Event =
          call.hasPrefix("syncfs")
          ? .syncedAll(folder: file, descriptor: Self.descriptor(in: call[call.index(after: name)...]))
          : .synced(file: file)
        if call.hasSuffix("= 0") { events.append(event) } else { syncing[thread] = event }
      case "pwrite64":
        if call.contains("\"...") { Issue.record("strace cut a write short; it is to show more bytes of each") }
        let numbers = call[(call.lastIndex(of: "\"") ?? call.startIndex)...].split { !$0.isNumber }
        guard numbers.count > 1, let offset = Int(numbers[1]) else { continue }
        events.append(.write(file: Self.path(in: call), offset: offset, bytes: Self.bytes(in: call)))
      case "ftruncate":
        let number = call.split(separator: ", ").last.flatMap { Int($0.prefix { $0.isNumber }) }
        if let number { events.append(.truncate(file: Self.path(in: call), length: number)) }
      case "rename", "renameat", "renameat2", "link":
        let names = Self.names(in: call)
        if names.count == 2 { events.append(.renamed(from: names[0], to: names[1])) }
      case "mkdir", "mkdirat":
        if let name = Self.names(in: call).first { events.append(.made(folder: name)) }
      default:
        let file = Self.path(in: call)
        if file.hasPrefix("socket:") || file.hasPrefix("UNIX") {
          events.append(.sent(Self.bytes(in: call)))
        } else if file.hasPrefix("/") {
          events.append(.appended(file: file))
        }
      }
    }
  }

  /// What a call that succeeded has opened: it ends with `= 12</the/path>`.
  private static func opened(by call: Substring) -> Event? {
    guard let result = call.range(of: " = ", options: .backwards), call.hasSuffix(">") else { return nil }
    return .opened(path: path(in: call[result.upperBound...]), descriptor: descriptor(in: call[result.upperBound...]))
  }

  private static func descriptor(in text: Substring) -> Int { Int(text.prefix { $0.isNumber }) ?? -1 }

  private static func path(in call: Substring) -> String {
    guard let start = call.firstIndex(of: "<"), let end = call.range(of: ">", range: start..<call.endIndex) else {
      return ""
    }
    return unescaped(call[call.index(after: start)..<end.lowerBound])
  }

  private static func strings(in call: Substring) -> [String] {
    call.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String(decoding: hexadecimal($0.element), as: UTF8.self) }
  }

  /// The paths that a call names: those that do not begin with `/` are in the folder of the descriptor before them.
  private static func names(in call: Substring) -> [String] {
    let call = call[..<(call.range(of: " <unfinished")?.lowerBound ?? call.endIndex)]
    let folders = call.split(separator: "<", omittingEmptySubsequences: false).dropFirst().map {
      unescaped($0[..<($0.firstIndex(of: ">") ?? $0.endIndex)])
    }
    let names = strings(in: call)
    guard folders.count == names.count else { return names }
    return zip(folders, names).map { $1.hasPrefix("/") ? $1 : $0 + "/" + $1 }
  }

  private static func bytes(in call: Substring) -> [UInt8] {
    call.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .flatMap { hexadecimal($0.element) }
  }

  /// `\x41\x42`, as strace writes every string with `-xx`.
  private static func hexadecimal(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4)
    var value: UInt8 = 0
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "x"): digits = 0
      default:
        value = value << 4 | (byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : byte - UInt8(ascii: "a") + 10)
        digits += 1
        if digits == 2 {
          bytes.append(value)
          value = 0
        }
      }
    }
    return bytes
  }

  /// Newer versions write the paths of descriptors as `\x2f\x74` too.
  private static func unescaped(_ text: Substring) -> String {
    text.hasPrefix("\\x") ? String(decoding: hexadecimal(text), as: UTF8.self) : String(text)
  }
}
