import Contract
import Store
import Wire

/// A post as clients see it.
struct Post: Payload {
  enum Badge: String, Choice {
    case new, notice, pinned, reply, attachment
  }

  struct Writer: Payload {
    var displayName: String?
    var emailAddress: String?
    static let example = Writer(displayName: "Ann", emailAddress: "ann@example.org")
    static let fields = ["displayName": "The name.", "emailAddress": "The address, where the source tells it."]
  }

  struct Attachment: Payload {
    var url: String?
    var title: String?
    var type: String?
    var size: Int64?
    static let example = Attachment(
      url: "https://groupware.example/menu.pdf", title: "menu.pdf", type: "application/pdf", size: 40_960)
    static let fields = [
      "url": "Where it is.", "title": "Its name.", "type": "What the source says that it is.", "size": "In bytes.",
    ]
  }

  struct Display: Payload {
    var title: String
    var writer: String
    var date: String
    var listed: String?
    var badges: [String]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("writer", writer)
      json.member("date", date)
      json.member("listed", listed)
      json.member("badges", badges)
      json.endObject()
    }

    static let example = Display(title: "Lunch", writer: "Ann", date: "3:04 AM", listed: nil, badges: ["New"])
    static let fields = [
      "title": "The title, or its placeholder.", "writer": "The writer's name, or the word for an anonymous one.",
      "date": "When it was written, in the `style` asked for.",
      "listed": "`listedAt` in the same style.", "badges": "The words for `badges`, in the same order.",
    ]
  }

  var id: PostID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var board: BoardID?
  var boardDisplayName: String?
  var source: SourceID?
  var postId: String
  var title: String
  var titleCut: Bool?
  var writer: Writer?
  var date: Instant?
  var dateText: String?
  var listedAt: Instant?
  var editedAt: Instant?
  var preview: String
  var contents: String?
  var html: String?
  var whole: Bool
  var link: String?
  var postType: String?
  var pinned: Bool
  var viewCount: Int?
  var commentsCount: Int?
  var attachmentsCount: Int?
  var attachments: [Attachment]?
  var categories: [String]?
  var isNewPost: Bool?
  var hasInlineImage: Bool?
  var isAnonymous: Bool
  var isOwner: Bool?
  var hasReply: Bool
  var badges: [Badge]
  var read: Bool
  var saved: Bool
  var sinceVisit: Bool
  var matches: [PostMatch]?
  var images: [PostPicture]?
  var versions: [PostVersion]?
  var freshness: Freshness?
  var failure: RemoteProblem?
  var display: Display

  static let example = Post(
    id: "0193", revision: 43, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), board: "0192", boardDisplayName: "Notices", source: "0191",
    postId: "4711", title: "Lunch", titleCut: nil, writer: .example, date: Instant(milliseconds: 1_795_225_445_678),
    dateText: "2026-11-21T12:04:05+0900", listedAt: nil, editedAt: nil, preview: "At noon, as always.", contents: nil,
    html: nil,
    whole: true, link: "https://groupware.example/posts/4711", postType: "notice", pinned: false, viewCount: 17,
    commentsCount: 2, attachmentsCount: 1, attachments: nil, categories: ["food"], isNewPost: true,
    hasInlineImage: false, isAnonymous: false, isOwner: false, hasReply: false, badges: [.new, .notice, .attachment],
    read: false, saved: false, sinceVisit: true, matches: nil,
    images: nil, versions: nil, freshness: nil, failure: nil, display: .example)

  static let fields = [
    "id": "The post; the same wherever it is carried.",
    "revision": "Changes with every update of its content. Compared for equality only.",
    "createdAt": "When it was first seen.", "updatedAt": "When its content last changed.",
    "board":
      "The board that it stands on: the one asked for, else its first; absent of a saved post whose source is gone.",
    "boardDisplayName": "The name of that board.", "source": "Where it comes from.",
    "postId": "The id that the first of its sources gave it.", "title": "Its title on one line, perhaps empty.",
    "titleCut": "The title is longer than this.", "writer": "Who wrote it; absent of an anonymous one.",
    "date": "When it was written; absent where that cannot be read.", "dateText": "The same as the source says it.",
    "listedAt":
      "By what the board lists it, where that is another time than `date`: the last answer, or when it came here.",
    "editedAt": "When the source says it was edited.", "preview": "The beginning of its text, on one line.",
    "contents": "All of its text; only of one post.",
    "html": "The same as HTML that was made safe and loads nothing; only of one post.",
    "whole": "Whether the text that is kept is all of it.", "link": "Where it is read in a browser.",
    "postType": "The source's word for what it is, such as `notice`.",
    "pinned": "Whether the board shows it above the others.", "viewCount": "How often it was looked at.",
    "commentsCount": "How many comments it has.", "attachmentsCount": "How many attachments it has.",
    "attachments": "Those that are known; only of one post.",
    "categories": "The source's words for what it is about.",
    "isNewPost": "What the source calls new; the badge goes by the client's day.",
    "hasInlineImage": "Whether its text shows pictures.", "isAnonymous": "Whether its writer is not to be known.",
    "isOwner": "Whether the credential's person wrote it.", "hasReply": "Whether it was answered.",
    "badges":
      "In this order: `new`, of the client's day; `notice`, or else `pinned` where the board shows it above "
      + "the others and `reply` where it was answered; `attachment`.",
    "read": "Whether it was read here.", "saved": "Whether it was saved here.",
    "sinceVisit": "Whether it came since this client turned to the board the time before.",
    "matches": "Of a search: where the words stand.",
    "images":
      "The pictures that its text shows, in their order, with `path` where asked for; the HTML loads none of them. Only of one post.",
    "versions": "What it was before each edit that was seen, the newest first; only where asked for.",
    "freshness": "Of one post: `live` where the source was asked for it just now.",
    "failure": "Of one post: why the source could not be asked; what is here was kept.",
    "display": "Strings for people.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("board", board?.text)
    json.member("boardDisplayName", boardDisplayName)
    json.member("source", source?.text)
    json.member("postId", postId)
    json.member("title", title)
    json.member("titleCut", titleCut)
    if let writer { try json.member("writer", writer) }
    json.member("date", date)
    json.member("dateText", dateText)
    json.member("listedAt", listedAt)
    json.member("editedAt", editedAt)
    json.member("preview", preview)
    json.member("contents", contents)
    json.member("html", html)
    json.member("whole", whole)
    json.member("link", link)
    json.member("postType", postType)
    json.member("pinned", pinned)
    json.member("viewCount", viewCount)
    json.member("commentsCount", commentsCount)
    json.member("attachmentsCount", attachmentsCount)
    if let attachments { try json.member("attachments", attachments) }
    json.member("categories", categories)
    json.member("isNewPost", isNewPost)
    json.member("hasInlineImage", hasInlineImage)
    json.member("isAnonymous", isAnonymous)
    json.member("isOwner", isOwner)
    json.member("hasReply", hasReply)
    json.member("badges", badges.map(\.rawValue))
    json.member("read", read)
    json.member("saved", saved)
    json.member("sinceVisit", sinceVisit)
    if let matches { try json.member("matches", matches) }
    if let images { try json.member("images", images) }
    if let versions { try json.member("versions", versions) }
    json.member("freshness", freshness?.rawValue)
    if let failure { try json.member("failure", failure) }
    try json.member("display", display)
    json.endObject()
  }
}

/// Where words of a search stand in a post.
struct PostMatch: Payload {
  enum Field: String, Choice {
    case title, writer, contents
  }

  struct Part: Payload {
    var offset: Int
    var length: Int
    static let example = Part(offset: 0, length: 5)
    static let fields = [
      "offset": "In the client's position encoding, from the beginning of `text`.", "length": "In the same units.",
    ]
  }

  var field: Field
  var text: String
  var ranges: [Part]
  var cutBefore: Bool?
  var cutAfter: Bool?

  static let example = PostMatch(
    field: .title, text: "Lunch", ranges: [.example], cutBefore: nil, cutAfter: nil)
  static let fields = [
    "field": "Which part of the post.",
    "text": "What the ranges count in: the whole title or name, or of the contents the piece that shows best why.",
    "ranges": "All places in it, ascending and apart; no character is cut.",
    "cutBefore": "Of contents: whether text comes before the piece.", "cutAfter": "Whether text follows it.",
  ]
}
