import Contract
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("MailPlug as a source") struct MailplugSourceTests {
  /// A groupware with one board of so many posts, newest first; answers as the real one does.
  private static func groupware(_ count: Int, board: Int = 5) -> @Sendable (ScriptedServer.Request) -> ServerReply {
    { request in
      guard request["Authorization"] == "Bearer good" else {
        return .json(["error": ["code": "401", "message": "인증에 실패했습니다."]], status: 401)
      }
      if request.path == "/api/v2/boards" {
        return .json([
          "value": [
            ["boardId": .integer(Int64(board)), "displayName": "공지"], ["boardId": 6, "displayName": "빈 게시판"],
          ],
          "count": 2, "offset": 0, "limit": 30, "total": 2,
        ])
      }
      let total = request.path == "/api/v2/boards/\(board)/posts" ? count : 0
      let (offset, limit) = (Int(request.query["offset"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 30)
      let numbers = (offset..<max(offset, min(offset + limit, total))).map { total - $0 }
      return .json([
        "value": .array(numbers.map { post($0) }), "count": .integer(Int64(numbers.count)),
        "offset": .integer(Int64(offset)), "limit": .integer(Int64(limit)), "total": .integer(Int64(total)),
      ])
    }
  }

  private static func post(_ number: Int) -> JSONValue {
    [
      "postId": .integer(Int64(1000 + number)), "title": "글 \(number)", "boardId": 5, "boardDisplayName": "공지",
      "writer": ["displayName": "김민준", "emailAddress": "kim@mail.example"],
      "contents": "<p onclick=x>안녕 &amp; <a href='/f'>파일</a><script>1</script></p>",
      "createdDateTime": .string("2024-05-20T00:30:00" + (number % 2 == 0 ? "+0900" : "+09:00")), "viewCount": 178,
      "postType": "notice", "isNewPost": true, "hasInlineImage": false, "commentsCount": 1, "attachmentsCount": 2,
      "isAnonymous": true, "isOwner": false, "hasReply": true,
    ]
  }

  @Test("M9 M15 M16 M17 M18: every field of a post is kept, and both forms of its zone mean the same moment")
  func fields() async throws {
    let bed = try SourceTestBed(secret: "good", Self.groupware(2))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let page = try await source.posts(of: "5", at: nil, state: nil)
    let post = try #require(page.posts.first)
    #expect(post.id == "1002" && post.title == "글 2")
    #expect(post.writer == .init(name: "김민준", address: "kim@mail.example") && post.isAnonymous)
    #expect(post.body?.text == "안녕 & 파일 (\(bed.server.origin)/f)")
    #expect(post.body?.html.contains("onclick") == false)
    #expect(post.kind == "notice" && post.hasReply && post.viewCount == 178)
    #expect(post.commentsCount == 1 && post.attachmentsCount == 2)
    #expect(post.isNewPost == true && post.isOwner == false && post.hasInlineImage == false)
    #expect(post.publishedText == "2024-05-20T00:30:00+0900")
    #expect(page.posts.map(\.publishedAt) == Array(repeating: Instant("2024-05-19T15:30:00Z"), count: 2))
  }

  @Test(
    "the boards come with their names, wherever in the service's path the base ends",
    arguments: ["", "/", "/api/v2", "/api/v2/boards/"])
  func boards(path: String) async throws {
    let bed = try SourceTestBed(secret: "good", Self.groupware(2))
    let boards = try await MailplugSource(bed.address(.mailplug, path, credential: "work"), bed.network).boards(nil)
    #expect(boards.boards.map(\.id) == ["5", "6"])
    #expect(boards.boards.map(\.displayName) == ["공지", "빈 게시판"])
    #expect(bed.targets == ["/api/v2/boards"])
  }

  @Test("boards of 0, 1, 30, 61 and 137 posts end where they end, each post once", arguments: [0, 1, 30, 31, 61, 137])
  func paging(count: Int) async throws {
    let bed = try SourceTestBed(secret: "good", Self.groupware(count))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    var ids: [String] = []
    var cursor: String?
    repeat {
      let page = try await source.posts(of: "5", at: cursor, state: nil)
      #expect(page.total == count)
      ids += page.posts.map(\.id)
      cursor = page.next
    } while cursor != nil
    #expect(ids.count == count && Set(ids).count == count)
    #expect(bed.targets.count == max(1, (count + 29) / 30))
    #expect(bed.targets.allSatisfy { $0.contains("limit=30") && $0.contains("offset=") })
  }

  @Test("without a total, a board is read until a page is empty")
  func withoutTotal() async throws {
    let bed = try SourceTestBed(secret: "good") { request in
      let offset = Int(request.query["offset"] ?? "") ?? 0
      return .json(["value": .array((offset..<max(offset, min(offset + 30, 40))).map { Self.post($0) })])
    }
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    #expect(try await source.posts(of: "5", at: nil, state: nil).next == "30")
    #expect(try await source.posts(of: "5", at: "30", state: nil).next == "40")
    let last = try await source.posts(of: "5", at: "40", state: nil)
    #expect(last.next == nil && last.posts.isEmpty)
  }

  @Test("a search is paged, says what it looks in, and its words are encoded")
  func search() async throws {
    let bed = try SourceTestBed(secret: "good", Self.groupware(40))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let page = try await source.search(SourceQuery(board: "5", text: "한 강&+", target: .writer), at: nil)
    #expect(page.next == "30")
    _ = try await source.search(SourceQuery(board: "5", text: "한 강&+", target: .writer), at: page.next)
    let requests = bed.server.requests
    #expect(requests.map { $0.query["search"] } == ["한 강&+", "한 강&+"])
    #expect(requests.map { $0.query["searchTarget"] } == ["writer", "writer"])
    #expect(requests.map { $0.query["offset"] } == ["0", "30"])
  }

  @Test("M14: fields that are missing or of another type leave the post there, with what can be read")
  func oddPosts() async throws {
    let bed = try SourceTestBed(secret: "good") { _ in
      .json([
        "value": [
          ["postId": "a7", "title": 5, "writer": "Kim", "contents": .null, "createdDateTime": "어제", "viewCount": "12"],
          ["postId": 8, "viewCount": -1, "isAnonymous": 1, "writer": [:], "attachmentsCount": 1e300],
          ["title": "no id"],
          "nothing", .null,
        ], "total": "2",
      ])
    }
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let posts = try await source.posts(of: "5", at: nil, state: nil).posts
    #expect(posts.map(\.id) == ["a7", "8"])
    #expect(posts[0].title == "5" && posts[0].viewCount == 12 && posts[0].body == nil)
    #expect(posts[0].publishedAt == nil && posts[0].publishedText == "어제")
    #expect(posts[1].viewCount == nil && posts[1].isAnonymous && posts[1].writer == nil)
  }

  @Test("a wrong token is one request, and says that another is needed")
  func wrongToken() async throws {
    let bed = try SourceTestBed(secret: "wrong", Self.groupware(3))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let failure = await failure { () throws(SourceFailure) in try await source.posts(of: "5", at: nil, state: nil) }
    #expect(failure?.kind == .unauthorized && failure?.error.kind == .unauthorized)
    #expect(bed.targets.count == 1)
    #expect(bed.refused == ["work"])
  }

  @Test("a token with a line break is refused before anything is sent, and is in no error")
  func brokenToken() async throws {
    let bed = try SourceTestBed(secret: "top\r\nsecret", Self.groupware(3))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let failure = await failure { () throws(SourceFailure) in try await source.boards(nil) }
    #expect(failure != nil && bed.targets.isEmpty)
    #expect(!String(describing: failure).contains("secret"))
  }

  @Test("a board that is not there is missing, a page of HTML is no groupware, and half of JSON may pass")
  func failures() async throws {
    func kind(_ reply: ServerReply) async throws -> SourceFailure.Kind? {
      let bed = try SourceTestBed(secret: "good") { _ in reply }
      let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
      return await failure { () throws(SourceFailure) in try await source.posts(of: "5", at: nil, state: nil) }?.kind
    }
    #expect(try await kind(.json(["error": ["code": "404"]], status: 404)) == .missing)
    #expect(try await kind(.text("", status: 410)) == .gone)
    #expect(try await kind(.text("<html>", [("Content-Type", "text/html")])) == .passing)
    #expect(try await kind(.text("{\"value\": [")) == .passing)
    #expect(try await kind(.json(["something": "else"])) == .notSource)
    #expect(try await kind(.json([1])) == .notSource)
    #expect(try await kind(.text("", status: 500)) == .passing)
  }

  @Test("one post is found by reading its board, and is missing where that does not have it")
  func onePost() async throws {
    let bed = try SourceTestBed(secret: "good", Self.groupware(61))
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    #expect(try await source.post("1005", of: "5").title == "글 5")
    #expect(bed.targets.count == 2)
    let failure = await failure { () throws(SourceFailure) in try await source.post("9", of: "5") }
    #expect(failure?.kind == .missing)
  }
}
