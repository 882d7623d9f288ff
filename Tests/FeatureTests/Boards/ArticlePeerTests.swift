import Foundation
import Markup
import TestSupport
import Testing
import Wire

/// The articles of the recorded pages beside those that Readability (readability-lxml, of PyPI) extracts.
@Suite("Boards: articles beside Readability", .timeLimit(.minutes(10))) struct ArticlePeerTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
  private static let pages = root.appending(path: "Tests/FeatureTests/Fixtures/articles")
  /// Where `scripts/test` installs it.
  private static let packages = root.appending(path: ".build/python").path

  /// Reads `{path: {html, title}}`, and writes for each path how far the words agree, from 0 to 1: the harmonic mean of
  /// the shares that each has of the other's words. The title counts where Readability has it in the text.
  private static let judge = """
    import json, re, sys
    sys.path.insert(0, sys.argv[1])
    from collections import Counter
    from lxml import html
    from readability import Document

    def words(text):
        return Counter(re.findall("[\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3]|[a-z0-9\\u00c0-\\u024f]+", text.lower()))

    def text(source):
        return " ".join(html.fromstring("<div>" + source + "</div>").itertext())

    def agreement(left, right):
        return 2 * sum((left & right).values()) / max(1, sum(left.values()) + sum(right.values()))

    result = {}
    for path, ours in json.load(sys.stdin).items():
        with open(path, "rb") as page:
            theirs = words(text(Document(page.read()).summary(html_partial=True)))
        texts = [text(ours["html"]), ours["title"] + " " + text(ours["html"])]
        result[path] = max(agreement(words(each), theirs) for each in texts)
    print(json.dumps(result))
    """

  @Test("at least 95 % of the words of each article agree with Readability's")
  func agreement() async throws {
    let isThere = FileManager.default.fileExists(atPath: Self.packages + "/readability/__init__.py")
    try #require(isThere, "scripts/test installs it from Tests/python-packages.txt")
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.pages.path).sorted()
    #expect(names.count >= 10)
    var ours = JSONObject()
    for name in names {
      let path = Self.pages.appending(path: name).path
      let article = try Article.extract(
        from: Data(contentsOf: URL(filePath: path)), contentType: nil, url: "https://site.example/1")
      ours[path] = ["html": .string(article.body.html), "title": .string(article.title ?? "")]
    }
    let folder = TemporaryFolder()
    let script = folder.path + "/judge.py"
    try Self.judge.write(toFile: script, atomically: true, encoding: .utf8)
    let environment = ProcessInfo.processInfo.environment.filter { ["HOME", "PATH"].contains($0.key) }
    let python = try ChildProcess(
      "python3", ["-B", script, Self.packages], environment: environment, folder: folder.path)
    python.write(String(describing: JSONValue.object(ours)))
    let result = await python.end()
    #expect(result.status == 0, "\(result.errors.suffix(3_000))")
    let shares = try JSONParser.parse(Array(result.output.utf8)).objectValue?.members ?? []
    #expect(shares.count == names.count)
    for share in shares { #expect(share.value.doubleValue ?? 0 >= 0.95, "\(share.key): \(share.value)") }
  }
}
