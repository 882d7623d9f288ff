import Foundation
import Testing
import Wire

@testable import Daemon

@Suite("Paths")
struct PathsTests {
  private static let machine = Machine(
    currentFolder: "/work", home: { "/home/passwd" }, isPrivateFolder: { $0.hasPrefix("/run/user") })

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var environment: [String: String]
    var options = Paths.Options()
    var library: String
    var socket: String
    var others = ["/home/ann/.cache/commonplace", "/home/ann/.local/state/commonplace/log"]
    var configuration = "/home/ann/.config/commonplace/config.toml"

    init(
      _ description: String, _ environment: [String: String], library: String? = nil, at: String? = nil,
      expect expected: String, socket: String
    ) {
      testDescription = description
      self.environment = environment
      options = Paths.Options(library: library, socket: at)
      self.library = expected
      self.socket = socket
    }
  }

  private static let home = ["HOME": "/home/ann"]
  private static let full = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"]
  private static let usual = "/home/ann/.local/share/commonplace"

  @Test(
    "library and socket lie where the outline says",
    arguments: [
      Case("home alone", home, expect: usual, socket: usual + "/run/s"),
      Case("a runtime folder", full, expect: usual, socket: "/run/user/1000/commonplace.sock"),
      Case("another library", full, library: "/srv/books", expect: "/srv/books", socket: "/srv/books/run/s"),
      Case("a relative library", full, library: "./books/", expect: "/work/books", socket: "/work/books/run/s"),
      Case(
        "the default library, named", full, library: "//home/ann/./.local/share/commonplace/", expect: usual,
        socket: "/run/user/1000/commonplace.sock"),
      Case("a given socket", full, at: "s", expect: usual, socket: "/work/s"),
      Case(
        "a relative runtime folder", ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "run/user/1000"], expect: usual,
        socket: usual + "/run/s"),
      Case(
        "a data folder", ["HOME": "/home/ann", "XDG_DATA_HOME": "/data/"], expect: "/data/commonplace",
        socket: "/data/commonplace/run/s"),
      Case(
        "a relative data folder", ["HOME": "/home/ann", "XDG_DATA_HOME": "data"], expect: usual,
        socket: usual + "/run/s"),
      Case(
        "an empty data folder", ["HOME": "/home/ann", "XDG_DATA_HOME": ""], expect: usual, socket: usual + "/run/s"),
    ])
  func table(row: Case) throws {
    let paths = try Paths(environment: row.environment, options: row.options, machine: Self.machine)
    #expect(paths.library == row.library)
    #expect(try paths.socket() == row.socket)
    #expect([paths.caches, paths.log] == row.others)
    #expect(paths.configuration == row.configuration)
    #expect(paths.warnings == [])
  }

  @Test("caches, state and configuration follow their variables")
  func variables() throws {
    let paths = try Paths(
      environment: ["XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/f"],
      machine: Machine(currentFolder: "/", home: { nil }, isPrivateFolder: { _ in true }))
    #expect([paths.library, paths.caches, paths.log] == ["/d/commonplace", "/c/commonplace", "/s/commonplace/log"])
    #expect(paths.configuration == "/f/commonplace/config.toml")
  }

  @Test("without HOME, or with a relative one, the user database says where home is", arguments: [nil, "", "ann"])
  func passwd(home: String?) throws {
    let paths = try Paths(environment: home.map { ["HOME": $0] } ?? [:], machine: Self.machine)
    #expect(paths.library == "/home/passwd/.local/share/commonplace")
  }

  @Test("a user without any home is told which variable would do")
  func homeless() {
    let machine = Machine(currentFolder: "/", home: { nil }, isPrivateFolder: { _ in true })
    #expect(throws: PathsError(text: Text("paths.noHome", ["variable": "XDG_CACHE_HOME"]))) {
      try Paths(environment: ["XDG_DATA_HOME": "/d"], machine: machine)
    }
  }

  @Test("an empty option is not the current folder")
  func emptyOptions() {
    for (options, name) in [(Paths.Options(library: ""), "--library"), (Paths.Options(socket: ""), "--socket")] {
      #expect(throws: PathsError(text: Text("paths.emptyOption", ["option": name]))) {
        try Paths(environment: Self.home, options: options, machine: Self.machine)
      }
    }
  }

  @Test("a runtime folder that is open to others is not used, and that is said")
  func openRuntimeFolder() throws {
    let paths = try Paths(
      environment: ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/tmp/shared"], machine: Self.machine)
    let socket = Self.usual + "/run/s"
    #expect(try paths.socket() == socket)
    #expect(paths.warnings == [Text("paths.runtimeFolder", ["path": "/tmp/shared", "socket": socket])])
  }

  @Test("a socket path of 107 bytes is taken and one of 108 refused, counted in bytes")
  func longSocket() throws {
    func socket(_ path: String) throws -> String {
      try Paths(environment: Self.home, options: .init(socket: path), machine: Self.machine).socket()
    }
    let longest = "/" + String(repeating: "가", count: 35) + "s"
    #expect(longest.utf8.count == 107)
    #expect(try socket(longest) == longest)
    #expect(
      throws: PathsError(
        text: Text("paths.socketTooLong", ["path": longest + "s", "length": "108", "limit": "107"]))
    ) { try socket(longest + "s") }
  }

  @Test(
    "a private folder is a folder of ours with mode 0700", arguments: [(0o700, true), (0o750, false), (0o707, false)])
  func privateFolder(mode: Int, isPrivate: Bool) throws {
    try withFolder { folder in
      #expect(chmod(folder, mode_t(mode)) == 0)
      #expect(Machine.this.isPrivateFolder(folder) == isPrivate)
      chmod(folder, 0o700)
      #expect(!Machine.this.isPrivateFolder(folder + "/none"))
      try Data().write(to: URL(filePath: folder + "/file"))
      chmod(folder + "/file", 0o700)
      #expect(!Machine.this.isPrivateFolder(folder + "/file"))
    }
  }

  @Test("the user database knows this user's home")
  func thisMachine() throws {
    #expect(try #require(Machine.this.home()).hasPrefix("/"))
  }
}
