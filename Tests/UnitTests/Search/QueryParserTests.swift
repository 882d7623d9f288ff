import Display
import Store
import Testing
import Wire

@testable import Features
@testable import Search

@Suite("Search: the language of questions") struct QueryParserTests {
  /// A question as it was understood, in a notation of these tests.
  private func read(_ text: String, isTyping: Bool = false) throws -> String {
    guard let node = try QueryParser.parse(text, isTyping: isTyping) else { return "" }
    return write(node)
  }

  private func write(_ node: QueryNode) -> String {
    switch node {
    case .term(let term): (term.inTitle ? "title:" : "") + "‹\(term.text)\(term.isPrefix ? "…" : "")›"
    case .filter(let filter): "\(filter.field.rawValue)=\(filter.value)"
    case .and(let nodes): "(" + nodes.map(write).joined(separator: " & ") + ")"
    case .or(let nodes): "(" + nodes.map(write).joined(separator: " | ") + ")"
    case .not(let node): "!" + write(node)
    case .nothing: "-"
    }
  }

  private func problem(_ text: String) throws -> QueryProblem? {
    do {
      _ = try QueryParser.parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "words, phrases, beginnings, operators, groups and fields are read",
    arguments: [
      ("slow  river", "(‹slow› & ‹river›)"), ("\"slow river\" 강", "(‹slow river› & ‹강›)"),
      ("“slow river”", "‹slow river›"), ("swim*", "‹swim…›"), ("\"slow ri\"*", "‹slow ri…›"), ("독*", "‹독›"),
      ("a AND b OR c", "((‹a› & ‹b›) | ‹c›)"), ("a b OR c d", "((‹a› & ‹b›) | (‹c› & ‹d›))"),
      ("a (b OR c)", "(‹a› & (‹b› | ‹c›))"), ("a NOT b", "(‹a› & !‹b›)"), ("NOT NOT a", "‹a›"),
      ("a AND NOT b", "(‹a› & !‹b›)"), ("title:swim*", "title:‹swim…›"), ("Title:\"slow river\"", "title:‹slow river›"),
      ("in:diary is:overdue", "(in=diary & is=overdue)"), ("before:2026-11-21 강", "(before=2026-11-21 & ‹강›)"),
      ("due:today 강", "(due=today & ‹강›)"), ("기한:내일 OR 마감:\"다음 주\"", "(due=내일 | due=다음 주)"),
      ("tag:\"a b\"", "tag=a b"), ("(in:diary)", "in=diary"), ("\"a\"b", "(‹a› & ‹b›)"),
      ("title:(a OR \"b c\" d*) e", "((title:‹a› | (title:‹b c› & title:‹d…›)) & ‹e›)"), ("title:(5)", "title:‹5›"),
      ("제목:(비 NOT (눈 OR f(x))) 강", "((title:‹비› & !(title:‹눈› | title:‹f(x)›)) & ‹강›)"),
      ("in:(diary OR posts) tag:(a \"b c\")", "((in=diary | in=posts) & (tag=a & tag=b c))"),
      ("title:(a tag:b (tag:(c)) d)", "(title:‹a› & tag=b & tag=c & title:‹d›)"),
    ])
  func reading(_ text: String, _ expected: String) throws {
    #expect(try read(text) == expected)
  }

  @Test(
    "what another language would take for its own is text",
    arguments: [
      ("NEAR(a b)", "(‹NEAR(a› & ‹b)›)"), ("-a", "‹-a›"), ("^a", "‹^a›"), ("{a b}:c", "(‹{a› & ‹b}:c›)"),
      ("http://a.example", "‹http://a.example›"), ("foo:bar", "‹foo:bar›"), ("5\"", "‹5\"›"), ("f(x)", "‹f(x)›"),
      ("1) one", "(‹1)› & ‹one›)"), ("(f(x) OR b)", "(‹f(x)› | ‹b›)"), ("and or not", "(‹and› & ‹or› & ‹not›)"),
      ("a+b", "‹a+b›"), ("(a+)+$", "(‹a+› & -)"), ("a ++ *", "(‹a› & - & -)"), ("a*b", "‹a*b›"),
    ])
  func text(_ text: String, _ expected: String) throws {
    #expect(try read(text) == expected)
  }

  @Test("white space and control characters ask for nothing", arguments: ["", " \n\u{3000}\t", "\u{0}\u{1}\u{7}"])
  func nothing(_ text: String) throws {
    #expect(try read(text) == "")
  }

  @Test("while somebody types, a last word that nothing follows may go on")
  func typing() throws {
    #expect(try read("slow riv", isTyping: true) == "(‹slow› & ‹riv…›)")
    #expect(try read("slow riv ", isTyping: true) == "(‹slow› & ‹riv›)")
    #expect(try read("title:riv", isTyping: true) == "title:‹riv…›")
    #expect(try read("\"slow riv\"", isTyping: true) == "‹slow riv›")
    #expect(try read("title:\"riv\"", isTyping: true) == "title:‹riv›")
  }

  @Test(
    "what cannot be read is refused with its place",
    arguments: [
      ("강 \"slow", QueryProblem.Reason.unclosedQuote, 4..<9), ("title:\"slow", .unclosedQuote, 6..<11),
      ("a (b OR c", .unclosedGroup, 2..<3), ("(((", .unclosedGroup, 2..<3), ("a () b", .emptyGroup, 2..<4),
      ("a title:(b", .unclosedGroup, 2..<9), ("tag:()", .emptyGroup, 0..<6),
      ("title:(OR a)", .nothingBefore("OR"), 7..<9),
      ("OR", .nothingBefore("OR"), 0..<2), ("AND a", .nothingBefore("AND"), 0..<3),
      ("a OR", .nothingAfter("OR"), 2..<4),
      ("강 AND", .nothingAfter("AND"), 4..<7), ("NOT", .nothingAfter("NOT"), 0..<3),
      ("a AND OR b", .nothingAfter("AND"), 2..<5), ("(a OR )", .nothingAfter("OR"), 3..<5),
      ("(OR a)", .nothingBefore("OR"), 1..<3), ("a title: b", .nothingAsked("title"), 2..<8),
      ("in:\"\"", .nothingAsked("in"), 0..<5), ("AND OR NOT", .nothingBefore("AND"), 0..<3),
    ])
  func problems(_ text: String, _ reason: QueryProblem.Reason, _ place: Range<Int>) throws {
    #expect(try problem(text) == QueryProblem(reason, at: place))
  }

  @Test("a question has bounds: words, letters, and groups in groups")
  func bounds() throws {
    let words = String(repeating: "독 ", count: 1_000)
    #expect(try problem(words) == QueryProblem(.tooManyTerms(limit: 64), at: 256..<259))
    let run = "독 " + String(repeating: "독서", count: 20_000)
    #expect(try problem(run) == QueryProblem(.tooLong(limit: 512), at: 4..<120_004))
    let deep = String(repeating: "(", count: 50_000)
    #expect(try problem(deep)?.reason == .groupsTooDeep)
    #expect(try problem(String(repeating: "title:(", count: 5_000))?.reason == .groupsTooDeep)
    #expect(try problem(String(repeating: "NOT ", count: 20_000) + "a") == nil)
    #expect(try problem(String(repeating: "(", count: 8) + "a" + String(repeating: ")", count: 8)) == nil)
  }

  @Test("a refusal says the place in the units of its client, and what to do, in every language")
  func refusals() throws {
    let text = "😀 강 \"slow"
    let problem = try #require(try problem(text))
    let catalogue = Catalogue()
    for (encoding, offset) in [(PositionEncoding.utf8, 9), (.utf16, 5), (.utf32, 4)] {
      let reader = Reader(
        locale: LocaleTag("en-US")!, zone: .utc, positionEncoding: encoding)
      let refusal = problem.refusal(of: text, field: "text", for: reader)
      #expect(refusal.code == RPCError.Code.invalidParams && refusal.data["field"] == "text")
      #expect(refusal.data["offset"] == .integer(Int64(offset)) && refusal.data["length"] == 5)
      #expect(refusal.data["reason"] == "search.unclosedQuote")
      let english = catalogue.render(refusal, language: .english)
      #expect(english.message.contains("character 5 ") && english.data["advice"] != nil)
      #expect(catalogue.render(refusal, language: .korean).message.contains("따옴표"))
    }
  }

  @Test(
    "a sentence counts characters as people do, whatever they are made of and whatever the client counts in",
    arguments: [
      // A family is one character of five scalars, and a syllable may be written in three.
      ("👨‍👩‍👧 \"slow", 3), ("\u{1100}\u{1161}\u{11BC} \"slow", 3), ("👨‍👩‍👧\u{1100}\u{1161}\u{11BC}e\u{301} OR", 5),
      ("강\r\n(a", 3), ("(a", 1),
    ])
  func characters(_ text: String, _ number: Int) throws {
    let problem = try #require(try problem(text))
    let catalogue = Catalogue()
    for encoding in PositionEncoding.allCases {
      let reader = Reader(locale: LocaleTag("en-US")!, zone: .utc, positionEncoding: encoding)
      let refusal = problem.refusal(of: text, field: "text", for: reader)
      for language in Language.allCases {
        let message = catalogue.render(refusal, language: language).message
        #expect(message.filter(\.isWholeNumber).filter(\.isASCII) == String(number), "\(message)")
      }
      let length = encoding.ranges([0..<problem.place.lowerBound], in: text)[0].count
      #expect(refusal.data["offset"] == .integer(Int64(length)))
    }
  }
}
