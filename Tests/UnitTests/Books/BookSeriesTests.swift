import Testing

@testable import Books

@Suite struct BookSeriesTests {
  @Test(
    "a series is read from the end of a title, and only where a number stands after the sign",
    arguments: [
      ("Sabriel (Abhorsen, #1)", ["Abhorsen #1"]), ("Mort (Discworld, #4; Death, #1-2)", ["Discworld #4", "Death #1"]),
      ("Between (Earthsea #2.5)", ["Earthsea #2.5"]), ("Both (Earthsea, #1, #2)", ["Earthsea #1"]),
      ("None (a novel)", []), ("None", []), ("Is it (the #1 of all?)", []), ("(#1)", []), ("Open (Abhorsen, #1", []),
      ("Sabriel (Abhorsen, #)", []), ("소년 (시리즈, #3)", ["시리즈 #3"]),
    ] as [(String, [String])])
  func titles(title: String, series: [String]) {
    #expect(BookSeries.inTitle(title)?.map(\.written) ?? [] == series)
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
      BookSeries(name: "Earthsea", number: 2.5), BookSeries(name: "Hainish"), BookSeries(name: "A", number: 1),
    ]
    #expect(BookSeries.cell(series) == "Earthsea #2.5; Hainish; A #1")
    #expect(BookSeries.read(cell: BookSeries.cell(series)) == series)
    #expect(BookSeries.read(cell: nil) == nil && BookSeries.read(cell: " ; ") == nil)
    #expect(BookSeries("  ", "1") == nil && BookSeries("A", "99999999999")?.number == nil)
    #expect(BookSeries("A", "1.2.3")?.number == nil)
  }
}
