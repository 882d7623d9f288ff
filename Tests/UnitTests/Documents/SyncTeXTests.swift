import Testing

@testable import Documents

@Suite("SyncTeX files") struct SyncTeXTests {
  /// A point in TeX's units.
  private static let point = 65_781.76

  private static func units(_ points: Double) -> Int { Int((points * point).rounded()) }

  /// A line of text from 72 to 272 points, with its baseline at `y`, and glue at these places of these lines.
  private static func line(_ y: Double, _ glue: [(x: Double, line: Int)], of input: Int = 1, end: Int = 99) -> String {
    let box = "(\(input),\(end):\(units(72)),\(units(y)):\(units(200)),\(units(8)),\(units(2))"
    let inner = glue.map { "g\(input),\($0.line):\(units($0.x)),=" }
    return ([box] + inner + [")"]).joined(separator: "\n")
  }

  private static let text = """
    SyncTeX Version:1
    Input:1:/paper/./main.tex
    Output:pdf
    Magnification:1000
    Unit:1
    X Offset:0
    Y Offset:0
    Content:
    !100
    {1
    [1,40:\(units(72)),\(units(700)):\(units(200)),\(units(600)),0
    \(line(100, [(100, 10), (200, 11)]))
    \(line(112, [(100, 11), (200, 12)]))
    ]
    }1
    Input:2:chapters/one.tex
    {2
    [2,40:\(units(72)),\(units(700)):\(units(200)),\(units(600)),0
    \(line(100, [(150, 5)], of: 2))
    \(line(130, [], of: 2, end: 7))
    ]
    }2
    Postamble:
    Count:9
    {3
    \(line(100, [(100, 10)]))
    }3
    """

  private static func file(_ text: String = text) throws -> SyncTeX { try SyncTeX(Array(text.utf8)) }

  @Test("a point leads to the nearest place of its line of text, and one far from all text to none")
  func backward() throws {
    let file = try Self.file()
    #expect(file.inputs == [1: "/paper/./main.tex", 2: "chapters/one.tex"])
    for (page, x, y, line) in [
      (0, 90.0, 97.0, 10), (0, 260, 97, 11), (0, 90, 109, 11), (0, 260, 113, 12), (0, 0, 80, 10), (1, 90, 99, 5),
      (1, 90, 128, 7),
    ] {
      #expect(try file.source(page: page, x: x, y: y)?.line == line, "\(page) \(x) \(y)")
    }
    #expect(try file.source(page: 1, x: 90, y: 99)?.input == 2)
    #expect(try file.source(page: 0, x: 90, y: 300) == nil && file.source(page: 2, x: 100, y: 100) == nil)
  }

  @Test("a line leads to its lines of text, and one from which nothing was typeset to the nearest")
  func forward() throws {
    let file = try Self.file()
    let eleven = try #require(try file.places(of: [1], line: 11))
    #expect(eleven.line == 11 && eleven.boxes.map(\.page) == [0, 0])
    let quad = eleven.boxes[0].box.quad
    let expected: [Double] = [72, 92, 272, 92, 272, 102, 72, 102]
    #expect(zip(quad, expected).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(try file.places(of: [1], line: 1)?.line == 10 && file.places(of: [1], line: 500)?.line == 12)
    #expect(try file.places(of: [2], line: 7)?.boxes.map(\.page) == [1])
    #expect(try file.places(of: [3], line: 7) == nil)
  }

  @Test("units, magnification and offsets of the preamble apply, and places in reused forms count for nothing")
  func preamble() throws {
    let halved = Self.text.replacing("Magnification:1000", with: "Magnification:500")
    let scaled = halved.replacing("Unit:1\n", with: "Unit:2\n")
      .replacing("X Offset:0", with: "X Offset:\(Self.units(5))")
    let quad = try #require(try Self.file(scaled).places(of: [1], line: 10)).boxes[0].box.quad
    #expect(abs(quad[0] - 82) < 0.01 && abs(quad[1] - 92) < 0.01)
    let form = Self.text.replacing("{2\n", with: "{2\n<1\n\(Self.line(100, [(100, 77)]))\n>\n")
    #expect(try Self.file(form).places(of: [1], line: 77)?.line == 12)
  }

  @Test("something else is refused, and damaged lines are skipped or refused without a crash")
  func hostile() throws {
    for text in ["", "SyncTeX", "SyncTeX Version:1\nInput:1:a.tex\n", "%PDF-1.5\nContent:\n"] {
      #expect(throws: SyncTeX.Damaged.self) { try Self.file(text) }
    }
    let deep = "SyncTeX Version:1\nContent:\n{1\n" + String(repeating: "(1,1:0,0:1,1,1\n", count: 2_000)
    #expect(throws: SyncTeX.Damaged.self) { try Self.file(deep).places(of: [1], line: 1) }
    let odd = """
      SyncTeX Version:1\r
      Content:\r
      Input:x:y
      Input:99999999999999999999:z
      {-9223372036854775808
      }
      {1
      )
      g1,1:5,5
      (1,-7:99999999999999999999,1:-5,-5,-5
      g
      g1,
      k1,3,4:=,5
      $1,3,4:5,=:-99999999999999999
      )
      """
    _ = try Self.file(odd).places(of: [1], line: 3)
    #expect(try Self.file(odd).inputs.isEmpty)
    // Each beginning is read or refused.
    let whole = Array(Self.text.utf8)
    for count in 0..<whole.count {
      guard let file = try? SyncTeX(Array(whole[..<count])) else { continue }
      _ = try? file.source(page: 0, x: 90, y: 97)
    }
    let stopped = Self.text + String(repeating: "\n", count: 70_000)
    _ = try Self.file(stopped)
    let long = Self.text.replacing("Postamble:", with: String(repeating: "!\n", count: 70_000) + "Postamble:")
    #expect(throws: CancellationError.self) {
      try SyncTeX(Array(long.utf8), checkCancelled: { throw CancellationError() })
    }
  }
}
