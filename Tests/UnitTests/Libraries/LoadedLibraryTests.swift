import CArchive
import CCrypto
import CCurl
import CXML
import Foundation
import TestSupport
import Testing

@Suite("Libraries that are loaded when they are first used", .timeLimit(.minutes(10)))
struct LoadedLibraryTests {
  enum Library: String, CaseIterable, Codable, Sendable {
    case libarchive, libcrypto, libcurl, libxml2

    var file: String {
      switch self {
      case .libarchive: "libarchive.so.13"
      case .libcrypto: "libcrypto.so.3"
      case .libcurl: "libcurl.so.4"
      case .libxml2: "libxml2.so.2"
      }
    }

    /// What every name of its functions begins with.
    var prefix: String {
      switch self {
      case .libarchive: "archive_"
      case .libcrypto: "EVP_"
      case .libcurl: "curl_"
      case .libxml2: ""
      }
    }

    /// Nil, or why it cannot be used.
    func load() -> String? {
      let text =
        switch self {
        case .libarchive: carchive_load()
        case .libcrypto: cp_crypto_load()
        case .libcurl: ccurl_load()
        case .libxml2: cxml_load()
        }
      return text.map { String(cString: $0) }
    }
  }

  @Test("a library that cannot be opened is named, with the system's reason, each time it is asked for")
  func absent() async {
    for library in Library.allCases {
      await #expect(processExitsWith: .success, "\(library)") { [library = library as Library] in
        let reason = withoutDescriptors { library.load() } ?? "none"
        guard reason.hasPrefix("\(library): \(library.file): "), library.load() == reason else {
          print(reason)
          exit(1)
        }
      }
    }
  }

  @Test("a library that is there can be used")
  func present() async {
    for library in Library.allCases {
      await #expect(processExitsWith: .success, "\(library)") { [library = library as Library] in
        guard library.load() == nil, library.load() == nil else { exit(1) }
      }
    }
  }

  @Test("a library that lacks a function is not used, and the function is named")
  func lacking() async throws {
    let folder = TemporaryFolder()
    for library in Library.allCases {
      let path = try await StandIn.make(library.file, of: "", in: folder)
      await #expect(processExitsWith: .success, "\(library)") { [library = library as Library, path = path as String] in
        guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else { exit(2) }
        let reason = library.load() ?? "none"
        let start = "\(library): \(library.prefix)"
        guard reason.hasPrefix(start), reason.count > start.count, !reason.contains(" ", after: start) else {
          print(reason)
          exit(1)
        }
      }
    }
  }

  @Test(
    "a libcurl that is too old, cannot do TLS, or would wait for names is refused with its version",
    arguments: [
      ("7.86.0", 0x075600, 1 << 2 | 1 << 7, 0, "libcurl 7.86.0 < 7.87"),
      ("7.87.0", 0x075700, 1 << 2 | 1 << 7, 0, nil),
      ("8.0.0", 0x080000, 1 << 7, 0, "libcurl 8.0.0: TLS"),
      ("8.0.0", 0x080000, 1 << 2, 0, "libcurl 8.0.0: AsynchDNS"),
      ("8.0.0", 0x080000, 1 << 2 | 1 << 7, 27, "libcurl: failure 27"),
    ] as [(String, Int, Int, Int, String?)])
  func versions(version: String, number: Int, features: Int, begun: Int, expected: String?) async throws {
    let names = [
      "easy_cleanup", "easy_init", "easy_setopt", "free", "multi_add_handle", "multi_cleanup", "multi_info_read",
      "multi_init", "multi_perform", "multi_poll", "multi_remove_handle", "multi_setopt", "multi_wakeup",
      "slist_append", "slist_free_all", "url", "url_cleanup", "url_get", "url_set",
    ]
    let path = try await StandIn.make(
      "libcurl.so.4",
      of: names.map { "void curl_\($0)(void) {}" }.joined(separator: "\n") + """

        static struct { int age; const char *version; unsigned number; const char *host; int features; } about =
          {0, "\(version)", \(number), "host", \(features)};
        void *curl_version_info(int now) { return &about; }
        int curl_global_init(long flags) { return \(begun); }
        const char *curl_easy_strerror(int code) { return code == 27 ? "failure 27" : "another"; }

        """, in: TemporaryFolder.shared)
    await #expect(processExitsWith: .success) { [path = path as String, expected = expected as String?] in
      guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else { exit(2) }
      let reason = Library.libcurl.load()
      guard reason == expected else {
        print(reason ?? "none")
        exit(1)
      }
    }
  }

  @Test("without libuchardet, or with one that lacks a function, no encoding is guessed")
  func detector() async throws {
    let path = try await StandIn.make("libuchardet.so.0", of: "void uchardet_new(void) {}", in: TemporaryFolder.shared)
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else { exit(2) }
      guard guessed(russian) == nil else { exit(1) }
    }
    await #expect(processExitsWith: .success) {
      guard withoutDescriptors({ guessed(russian) }) == nil, guessed(russian) == nil else { exit(1) }
    }
    await #expect(processExitsWith: .success) {
      guard guessed(russian) == "WINDOWS-1251" else { exit(1) }
    }
  }
}

/// Russian, in windows-1251.
private let russian: [UInt8] = Array(
  "\u{EF}\u{F0}\u{E8}\u{E2}\u{E5}\u{F2} \u{EC}\u{E8}\u{F0}, \u{FD}\u{F2}\u{EE} \u{EF}\u{F0}\u{EE}\u{F1}\u{F2}\u{EE}\u{E9} \u{F2}\u{E5}\u{EA}\u{F1}\u{F2} \u{E4}\u{EB}\u{FF} \u{EF}\u{F0}\u{EE}\u{E2}\u{E5}\u{F0}\u{EA}\u{E8}"
    .unicodeScalars.map { UInt8($0.value) })

private func guessed(_ bytes: [UInt8]) -> String? {
  var name = [CChar](repeating: 0, count: 32)
  let isFound = bytes.withUnsafeBytes {
    cxml_detect($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count, &name, name.count)
  }
  return isFound ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

/// Runs `body` while no file can be opened, so that no library can be. Only for as long as that: Dispatch opens files
/// for its threads, and traps where it cannot.
private func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var usual = rlimit()
  getrlimit(resource, &usual)
  var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
  setrlimit(resource, &none)
  defer { setrlimit(resource, &usual) }
  return body()
}

/// A library that is loaded in another's place, since it bears its name.
private enum StandIn {
  struct NotBuilt: Error {
    var errors: String
  }

  static func make(_ name: String, of source: String, in folder: TemporaryFolder) async throws -> String {
    let path = folder.file("\(UUID().uuidString).so")
    let text = path + ".c"
    try Data((source + "\n").utf8).write(to: URL(filePath: text))
    let compiler = try ChildProcess(
      "clang", ["-w", "-shared", "-fPIC", "-Wl,-soname,\(name)", "-o", path, text],
      environment: ProcessInfo.processInfo.environment, folder: folder.path)
    let result = await compiler.end()
    guard result.status == 0 else { throw NotBuilt(errors: result.errors) }
    return path
  }
}

extension TemporaryFolder {
  fileprivate static let shared = TemporaryFolder()
}

extension String {
  fileprivate func contains(_ text: String, after start: String) -> Bool { dropFirst(start.count).contains(text) }
}
