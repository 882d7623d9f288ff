import Synchronization
import Testing
import Wire

@testable import commonplace_web

/// The rules of the bridge for what a browser sends, without a browser and a bridge.
@Suite("Web: ranges, queries, types, sessions and arguments") struct WebValueTests {
  private static let ranges: [([String], Int, ByteRange)] = [
    (["bytes=0-499"], 1_000, .part(0..<500)), (["bytes=500-"], 1_000, .part(500..<1_000)),
    (["bytes=-500"], 1_000, .part(500..<1_000)), (["bytes=-2000"], 1_000, .part(0..<1_000)),
    (["bytes=0-5000"], 1_000, .part(0..<1_000)), (["bytes=999-999"], 1_000, .part(999..<1_000)),
    (["bytes=1000-"], 1_000, .unsatisfiable), (["bytes=1000-1001"], 1_000, .unsatisfiable),
    (["bytes=-0"], 1_000, .unsatisfiable), (["bytes=-5"], 0, .unsatisfiable), (["bytes=0-"], 0, .unsatisfiable),
    ([], 1_000, .whole), (["bytes=5-4"], 1_000, .whole), (["bytes=a-b"], 1_000, .whole), (["bytes=-"], 1_000, .whole),
    (["bytes=0-1,2-3"], 1_000, .whole), (["items=0-1"], 1_000, .whole), (["bytes=0-1", "bytes=2-3"], 1_000, .whole),
    (["bytes=99999999999999999999-"], 1_000, .whole), (["bytes=1-2-3"], 1_000, .whole),
  ]

  @Test("a range is a part of the file, nothing of it, or not understood, which is the whole file", arguments: ranges)
  func range(headers: [String], size: Int, expected: ByteRange) {
    #expect(ByteRange(headers, of: size) == expected)
  }

  @Test("a tag is the sum of the bytes, and is found among those that a browser has")
  func tags() {
    #expect(EntityTag.of([]) == "\"cbf29ce484222325\"" && EntityTag.of("a".utf8) == "\"af63dc4c8601ec8c\"")
    for (headers, matches) in [
      (["\"a\""], true), (["W/\"a\""], true), (["\"b\", \"a\""], true), (["\"b\"", " \"a\" "], true), (["*"], true),
      (["\"b\""], false), (["a"], false), ([], false),
    ] {
      #expect(EntityTag.matches("\"a\"", headers) == matches, "\(headers)")
    }
  }

  @Test("the type of a file is that of its first bytes, and what has none of these is not shown")
  func types() {
    for (start, name) in [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D], "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      (Array("GIF89a".utf8), "image/gif"), (Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
      (Array("1234ftypavif".utf8), "image/avif"), (Array("%PDF-1.7".utf8), "application/pdf"),
    ] as [([UInt8], String)] {
      #expect(MediaType(of: start).name == name && MediaType(of: start).isShown, "\(name)")
    }
    for text in ["<html>", "<svg xmlns=", "RIFF1234WAVE", "1234ftypmp42", "GIF", "%PDF", "", " %PDF-"] {
      let type = MediaType(of: Array(text.utf8))
      #expect(type.name == "application/octet-stream" && !type.isShown, "\(text)")
    }
  }

  @Test("a query names the method, its params, and the member of the reply that is the file")
  func queries() throws {
    let query = try #require(
      FileQuery(
        "method=documents%2Frender&params=%7B%22id%22%3A%221%22%7D&member=images.0.path&name=a+b&field=f&reply=r&v=1"))
    #expect(query.method == "documents/render" && query.params == ["id": "1"] && query.name == "a b")
    #expect(query.member == ["images", "0", "path"] && query.field == "f" && query.reply == "r" && query.isImmutable)
    #expect(!query.containsBytes)
    let usual = try #require(FileQuery("method=m"))
    #expect(usual.params == [:] && usual.member == ["path"] && usual.field == "data" && usual.name == nil)
    #expect(usual.reply == nil && !usual.isImmutable)
    let inline = try #require(FileQuery("method=m&params={\"inline\":true}"))
    #expect(inline.member == ["data"] && inline.containsBytes)
    #expect(FileQuery("method=m&params={\"inline\":false}")?.member == ["path"])
    #expect(FileQuery("method=m&params={\"a\":1}", paramsHeader: "%7B%22b%22%3A2%7D")?.params == ["b": 2])
    #expect(FileQuery("method=m", paramsHeader: "%ff") == nil)
    for wrong in [
      "", "params={}", "method=", "method", "method=m&params=[]", "method=m&params={", "method=m&x", "method=%2",
    ] {
      #expect(FileQuery(Substring(wrong)) == nil, "\(wrong)")
    }
    #expect(FileQuery.values("a=1&b=2=3&a=4&c=") == ["a": "4", "b": "2=3", "c": ""] && FileQuery.values("") == [:])
  }

  @Test("a method is safe if it only reads, and a member is one that its result declares")
  func methods() throws {
    let methods = FileMethods([
      "methods": [
        [
          "name": "read", "x-effects": ["reads"], "params": [["name": "id"], ["name": "page"]],
          "result": ["schema": ["$ref": "#/components/schemas/R"]],
        ],
        ["name": "write", "x-effects": ["reads", "writes"]], ["name": "destroy", "x-effects": ["reads", "destroys"]],
        ["name": "none", "x-effects": [], "result": ["schema": ["$ref": "#/components/schemas/Missing"]]],
        ["name": "fetch", "x-effects": ["reads", "network", "files"]], ["x-effects": ["reads"]],
      ],
      "components": [
        "schemas": [
          "R": [
            "properties": [
              "path": ["type": "string"], "images": ["items": ["properties": ["path": [:]]]],
              "either": ["anyOf": [["properties": ["a": [:]]], ["properties": ["b": [:]]]]],
              "all": ["allOf": [["$ref": "#/components/schemas/S"]]], "one": ["oneOf": [["properties": ["c": [:]]]]],
            ]
          ], "S": ["properties": ["d": [:]]],
        ]
      ],
    ])
    let safe = ["read", "write", "destroy", "none", "fetch"].filter { methods[$0]?.isSafe == true }
    #expect(safe == ["read", "fetch"] && methods["other"] == nil)
    let read = try #require(methods["read"])
    #expect(read.params == ["id", "page"])
    for member in [
      [], ["path"], ["images"], ["images", "0"], ["images", "7", "path"], ["either", "a"], ["either", "b"],
      ["all", "d"],
      ["one", "c"],
    ] {
      #expect(methods.declares(member, of: read), "\(member)")
    }
    for member in [
      ["none"], ["images", "path"], ["images", "0", "x"], ["either", "c"], ["path", "x"], ["all", "c"],
    ] {
      #expect(!methods.declares(member, of: read), "\(member)")
    }
    #expect(!methods.declares(["path"], of: try #require(methods["none"])))
  }

  @Test("a token is traded once for the cookie, and its use makes the next one")
  func sessions() throws {
    let used = Mutex<[String]>([])
    let sessions = Sessions(port: 7) { next in used.withLock { $0.append(next) } }
    let first = sessions.currentToken
    #expect(
      first.utf8.count == 64 && first.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    #expect(sessions.trade("") == nil && sessions.trade(String(first.dropLast())) == nil)
    #expect(sessions.trade(String(repeating: "0", count: 64)) == nil && sessions.currentToken == first)
    let cookie = try #require(sessions.trade(first))
    #expect(cookie.hasPrefix("commonplace-7=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(sessions.currentToken != first && used.withLock(\.self) == [sessions.currentToken])
    #expect(sessions.trade(first) == nil && used.withLock(\.count) == 1)
    let value = String(cookie.prefix { $0 != ";" })
    for (header, isValid) in [
      (value, true), ("a=b; \(value)", true), ("\(value);c=d", true), (value + "0", false),
      (String(value.dropLast()), false), (value.replacing("-7=", with: "-8="), false), ("commonplace-7=", false),
      ("commonplace-7", false), ("", false),
    ] {
      #expect(sessions.isValid(header) == isValid, "\(header)")
    }
    #expect(sessions.trade(sessions.currentToken) == cookie, "another browser has the same session")
  }

  @Test("the arguments are those of commonplace, and no others")
  func options() throws {
    let all = try Options([
      "--commonplace", "/c", "--open", "--port", "65535", "--library", "l", "--socket", "s", "--assets", "a",
      "--apps", "[fe80::1]:7718",
    ])
    #expect(all.commonplace == "/c" && all.opensBrowser && all.port == 65_535 && all.assets == "a")
    #expect(all.library == ["--library", "l", "--socket", "s"])
    #expect(all.apps == AppAddress("[fe80::1]:7718") && all.apps?.host == "fe80::1" && all.apps?.port == 7_718)
    let least = try Options(["--commonplace", "/c", "--port", "0"])
    #expect(!least.opensBrowser && least.port == 0 && least.assets == nil && least.library.isEmpty)
    #expect(least.apps == nil)
    for wrong in [
      [], ["--open"], ["--commonplace"], ["--commonplace", "/c", "--port", "65536"],
      ["--commonplace", "/c", "--port", "-1"], ["--commonplace", "/c", "--port", "x"],
      ["--commonplace", "/c", "--x", "y"], ["--commonplace", "/c", "--apps", "7718"],
      ["--commonplace", "/c", "--apps", "fe80::1:7718"], ["--commonplace", "/c", "--apps", "192.168.1.2:70000"],
    ] {
      #expect(throws: BridgeFailure.self, "\(wrong)") { try Options(wrong) }
    }
  }
}
