import Testing

@testable import Books

@Suite struct BookSeriesTests {
  @Test(
    "the series after a title, as Goodreads and Amazon write them, are split from it whole or not at all",
    arguments: [
      ("Sabriel (Abhorsen, #1)", "Sabriel", ["Abhorsen #1"]), ("Between (Earthsea #2.5)", "Between", ["Earthsea #2.5"]),
      ("Mort (Discworld, #4; Death, #1-2)", "Mort", ["Discworld #4", "Death #1-2"]),
      ("Wintersmith (Discworld; Tiffany Aching, #3)", "Wintersmith", ["Discworld", "Tiffany Aching #3"]),
      ("Both (Earthsea, #1, #2)", "Both", ["Earthsea #1-2"]),
      ("The Trilogy (Abhorsen, #1–3) ", "The Trilogy", ["Abhorsen #1-3"]),
      ("Into the Wild (Warriors (Erin Hunter), #1)", "Into the Wild", ["Warriors (Erin Hunter) #1"]),
      ("Kim (a novel) (Tales, #2)", "Kim (a novel)", ["Tales #2"]),
      ("Lirael (Abhorsen Book 2)", "Lirael", ["Abhorsen #2"]),
      ("Lirael (Abhorsen, Book 2)", "Lirael", ["Abhorsen #2"]), ("소년 (시리즈, #3)", "소년", ["시리즈 #3"]),
      ("Notes (C#, #2)", "Notes", ["C# #2"]),
    ] as [(String, String, [String])])
  func titles(title: String, bare: String, series: [String]) {
    let split = BookSeries.split(title)
    #expect(split?.title == bare && split?.series.map(\.written) == series)
  }

  @Test(
    "a title keeps parentheses that are no series, or that say more than a series has",
    arguments: [
      "None (a novel)", "None", "Is it (the #1 of all?)", "(#1)", "(Abhorsen, #1)", "Open (Abhorsen, #1", "#1)",
      "Sabriel (Abhorsen, #)", "A Dance with Dragons (A Song of Ice and Fire, #5, Part 1 of 2)", "One (A, #1; A, #2)",
      "One (Book 1)", "One (A, #1 & 4)", "One (A, #99999999)", "One (A, #1; ; B #x)", "One (A, #1) and more",
      "One (\(String(repeating: " ", count: 5_000))A, #1)",
    ])
  func noSeries(title: String) {
    #expect(BookSeries.split(title) == nil)
  }

  @Test("a title that is written with its series is split into both again")
  func joined() {
    let series = [
      BookSeries(name: "Earthsea", number: 2.5), BookSeries(name: "Hainish"), BookSeries(name: "A", number: 1, last: 3),
    ]
    #expect(BookSeries.joined("Between", series) == "Between (Earthsea, #2.5; Hainish; A, #1-3)")
    for (title, one) in [
      ("One", [BookSeries(name: "Hainish")]), ("One", [BookSeries(name: "A; B", number: 1)]), ("One", nil),
      ("One", [BookSeries(name: "A (of", number: 1)]), ("One", [BookSeries(name: "A, #1", number: 2)]),
    ] as [(String, [BookSeries]?)] {
      let joined = BookSeries.joined(title, one)
      let split = BookSeries.split(joined)
      #expect(joined == title || split?.title == title && split?.series == one, "\(joined)")
    }
  }

  @Test(
    "a catalogue's words for a series are a name and a number",
    arguments: [
      ("Discworld ; 4", "Discworld #4"), ("The Old Kingdom -- bk. 1", "The Old Kingdom #1"),
      ("Earthsea, #2", "Earthsea #2"), ("Harry Potter (3)", "Harry Potter #3"),
      ("Penguin classics", "Penguin classics"),
      ("Catch-22, and others", "Catch-22, and others"), ("Series [v. 12.5]", "Series #12.5"),
    ])
  func catalogued(text: String, series: String) {
    #expect(BookSeries(catalogued: text)?.written == series)
  }

  @Test("a cell of a table has the series that were written into it")
  func cells() {
    let series = [
      BookSeries(name: "Earthsea", number: 2.5), BookSeries(name: "Hainish"),
      BookSeries(name: "A", number: 1, last: 3),
    ]
    #expect(BookSeries.cell(series) == "Earthsea #2.5; Hainish; A #1-3")
    #expect(BookSeries.read(cell: BookSeries.cell(series)) == series)
    #expect(BookSeries.read(cell: nil) == nil && BookSeries.read(cell: " ; ") == nil)
    #expect(BookSeries("  ", "1") == nil && BookSeries("A", "99999999999")?.number == nil)
    #expect(BookSeries("A", "1.2.3")?.number == nil)
  }
}
