import Foundation
import Testing

@testable import Display

@Suite("Zones")
struct ZoneTests {
  @Test(
    "the offsets are those that ICU has",
    arguments: [
      "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata",
      "Etc/GMT-9", "Africa/Casablanca",
    ])
  func offsets(name: String) throws {
    let zone = try #require(Zone(name))
    let reference = try #require(TimeZone(identifier: name))
    // From 1970 to 2100 in steps that meet all hours; rules of the last years may differ between two databases.
    for seconds in stride(from: Int64(0), to: 1_600_000_000, by: 100_003) {
      let expected = reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      try #require(zone.offset(at: seconds) == expected, "\(name) at \(seconds)")
    }
  }

  @Test("after the last change that the file lists, the yearly rule goes on")
  func rule() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    #expect(zone.offset(at: 4_070_908_800) == 3600)  // 1 January 2099
    #expect(zone.offset(at: 4_086_547_200) == 7200)  // 1 July 2099
  }

  @Test(
    "what is no zone is refused",
    arguments: [
      "", "Asia/Nowhere", "asia/seoul", "Asia", "Asia/", "/Asia/Seoul", "../zoneinfo/Asia/Seoul", "Asia/../Etc/UTC",
      "Asia//Seoul", "posix/Asia/Seoul", "tzdata.zi", "GMT+9", "+09:00", "Asia/Seoul\0", "Asia/Seoul ",
      String(repeating: "A", count: 100_000),
    ])
  func refused(name: String) {
    #expect(Zone(name) == nil)
  }

  @Test("without a database on the system Foundation's zones are used")
  func withoutDatabase() throws {
    let zone = try #require(Zone("Asia/Seoul", database: "/nonexistent"))
    #expect(zone.offset(at: 1_608_651_333) == 32_400)
    #expect(Zone("Asia/Nowhere", database: "/nonexistent") == nil)
    #expect(Zone("GMT+9", database: "/nonexistent") == nil)
  }

  @Test("a damaged file is no zone, wherever it is cut or altered")
  func damaged() throws {
    let data = try #require(FileManager.default.contents(atPath: Zone.databaseFolder + "/Europe/Berlin"))
    let bytes = Array(data)
    #expect(ZoneFile(bytes) != nil)
    for length in 0..<bytes.count - 40 { #expect(ZoneFile(Array(bytes[..<length])) == nil) }
    for position in 0..<bytes.count {
      var altered = bytes
      altered[position] = 0xFF
      _ = ZoneFile(altered)?.offset(at: 1_600_000_000)
    }
  }

  @Test("the system's zone is TZ, else the link localtime, else the name in timezone, else UTC")
  func system() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func system(_ environment: [String: String]) -> String {
      Zone.system(environment: environment, configuration: folder.path).identifier
    }
    #expect(system(["TZ": "Asia/Seoul"]) == "Asia/Seoul")
    #expect(system(["TZ": ":Europe/Berlin"]) == "Europe/Berlin")
    #expect(system(["TZ": "nonsense"]) == "Etc/UTC")
    #expect(system(["TZ": "KST-9"]) == "Etc/GMT-9")
    try Data("Asia/Tokyo\n".utf8).write(to: folder.appending(path: "timezone"))
    #expect(system([:]) == "Asia/Tokyo")
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "localtime").path,
      withDestinationPath: "/usr/share/zoneinfo/America/New_York")
    #expect(system([:]) == "America/New_York")
    #expect(system(["TZ": "nonsense"]) == "America/New_York")
    #expect(system(["TZ": ""]) == "Etc/UTC")
  }

  @Test(
    "TZ may say whole hours in POSIX's way; what it says that nobody understands is told",
    arguments: [
      ("KST-9", "Etc/GMT-9"), ("EST5", "Etc/GMT+5"), ("<+09>-9", "Etc/GMT-9"), ("ABC-09", "Etc/GMT-9"),
      ("UTC0", "Etc/UTC"), (":KST-9", "Etc/GMT-9"), ("EST5EDT", "EST5EDT"), ("Asia/Seoul", "Asia/Seoul"),
      ("IST-5:30", nil), ("EST5EDT,M3.2.0,M11.1.0", nil), ("KST-19", nil), ("Asia/Nowhere", nil), ("K-9", nil),
    ])
  func posix(text: String, name: String?) throws {
    #expect(Zone(ofTZ: text)?.identifier == name)
    #expect(Zone.unknownName(in: ["TZ": text]) == (name == nil ? text : nil))
    if name == "Etc/GMT-9" { #expect(Zone(ofTZ: text)?.offset(at: 1_608_651_333) == 32_400) }
  }
}
