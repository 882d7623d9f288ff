import Foundation
import TestSupport
import Testing
import Wire

@Suite("commonplace check and backup", .timeLimit(.minutes(10)))
struct CareTests {
  @Test("work without a daemon, and leave none behind")
  func alone() async throws {
    let home = CommandLineHome()
    let check = try await home.run(["check", "--rebuild-index", "--repair"])
    #expect(check.status == 0)
    #expect(try JSONParser.parse(check.output)["ok"] == true)
    let backup = try await home.run(["backup", "copy"])
    #expect(backup.status == 0)
    #expect(try JSONParser.parse(backup.output)["path"]?.stringValue == home.work + "/copy")
    #expect(!home.isOwned)
    #expect(!FileManager.default.fileExists(atPath: home.socket))
  }

  @Test("work with the daemon that runs")
  func shared() async throws {
    let home = CommandLineHome()
    let library = try await home.call("session/status")["library"]
    let owner = home.owner
    #expect(try await home.run(["check"]).status == 0)
    #expect(try await home.run(["backup", "copy"]).status == 0)
    #expect(home.owner == owner)
    // The copy is a library of its own: the same id, another epoch.
    let copy = try await home.call("session/status", "--library", "copy")["library"]
    kill(try pid(ofLibrary: home.work + "/copy"), SIGKILL)
    #expect(copy?["id"] == library?["id"])
    #expect(copy?["epoch"] != library?["epoch"])
  }

  @Test("an index that is larger than what SQLite keeps in memory of one statement is made anew")
  func largeIndex() async throws {
    let home = CommandLineHome()
    for part in 0..<3 {
      let words = (0..<60_000).map { "w\(part)x\(String($0 * 7_919 % 999_983, radix: 36))" }.joined(separator: " ")
      try words.write(toFile: home.work + "/words", atomically: true, encoding: .utf8)
      _ = try await home.call("diary/add", "text=@words")
    }
    // The pages of the old one are dropped by one statement each.
    let check = try await home.run(["check", "--rebuild-index"])
    #expect(check.status == 0, "\(check.errors)")
    #expect(try JSONParser.parse(check.output)["ok"] == true)
    #expect(try await home.call("search/query", "text=w1x0")["total"] == 1)
  }

  @Test("a second backup into the same folder is a new one beside the first, and both are the user's alone")
  func repeated() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "title=Here", "deadline:=null")
    var paths: [String] = []
    for folder in ["backups", "backups", home.work + "/backups/"] {
      let backup = try await home.run(["backup", folder])
      paths.append(try #require(try JSONParser.parse(backup.output)["path"]?.stringValue, "\(backup)"))
    }
    #expect(paths[0] == home.work + "/backups" && Set(paths).count == 3, "\(paths)")
    for path in paths.dropFirst() {
      #expect(path.wholeMatch(of: /.*\/backups-\d{4}-\d\d-\d\d-\d{6}(-\d+)?/) != nil, "\(path)")
    }
    for path in paths {
      for (name, mode) in [("", 0o700), ("/blobs", 0o700), ("/library.sqlite", 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
        #expect(attributes[.posixPermissions] as? Int == mode, "\(path)\(name)")
      }
      #expect(try await home.call("projects/list", "--library", path)["total"] == 1)
      #expect(try await home.run(["stop", "--library", path]).status == 0)
    }
  }

  @Test("a folder that is there already is not overwritten")
  func exists() async throws {
    let home = CommandLineHome()
    let result = try await home.run(["backup", "."])
    #expect(result.status == 5)
    #expect(result.errors.contains("already"))
  }

  @Test("check ends with 1 and names what it found")
  func findings() async throws {
    let home = CommandLineHome()
    try await home.run(["check"])
    let hash = String(repeating: "ab", count: 32)
    try OldLibraries.execute("INSERT INTO blob VALUES ('\(hash)', 1, 0)", in: home.library)
    let result = try await home.run(["check"])
    #expect(result.status == 1)
    let report = try JSONParser.parse(result.output)
    #expect(report["ok"] == false)
    #expect(report["findings"]?[0]?.stringValue?.contains(hash) == true)
  }

  private func pid(ofLibrary path: String) throws -> pid_t {
    let text = try String(contentsOfFile: path + "/lock", encoding: .utf8)
    return pid_t(text.dropFirst("pid ".count).prefix { $0 != "\n" }) ?? 0
  }
}
