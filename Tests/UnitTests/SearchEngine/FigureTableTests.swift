import CTokenizer
import Testing

@Suite struct FigureTableTests {
  private final class Table {
    let pointer = cp_figure_table_make()!
    deinit { cp_figure_table_release(pointer) }

    subscript(row: Int64) -> cp_figures? {
      get {
        var figures = cp_figures()
        return cp_figures_get(pointer, row, &figures) ? figures : nil
      }
      set {
        if var figures = newValue { cp_figures_set(pointer, row, &figures) } else { cp_figures_set(pointer, row, nil) }
      }
    }
  }

  private static func figures(
    at: Int64 = 0, sizes: [UInt8] = [], isPage: Bool = false, lists: Bool = false, mayFold: Bool = false
  ) -> cp_figures {
    var figures = cp_figures()
    (figures.at, figures.is_page, figures.lists, figures.may_fold) = (at, isPage, lists, mayFold)
    (figures.item, figures.collection) = (0xFEDC_BA98, 254)
    cp_figures_read_sizes(&figures, sizes, sizes.count)
    return figures
  }

  @Test("Figures come back as they were put in, of any row that there can be, and of no other")
  func kept() {
    let table = Table()
    let rows: [Int64] = [0, 1, 131_071, 131_072, 1_000_000, 268_435_455]
    for (number, row) in rows.enumerated() {
      table[row] = Self.figures(
        at: Int64(number) * -7_000, sizes: [3, 0x81, 0x00, 9, 1], isPage: number % 2 == 0, lists: number % 3 == 0,
        mayFold: number % 4 == 0)
    }
    for (number, row) in rows.enumerated() {
      let found = table[row]
      #expect(found?.at == Int64(number) * -7_000 && found?.item == 0xFEDC_BA98 && found?.collection == 254)
      #expect(found?.title == 3 && found?.body == 128 && found?.tags == 9)
      #expect(found?.is_page == (number % 2 == 0) && found?.lists == (number % 3 == 0))
      #expect(found?.may_fold == (number % 4 == 0))
    }
    for row: Int64 in [-1, 2, 131_073, 268_435_456, .max, .min] { #expect(table[row] == nil) }
    for row: Int64 in [-1, 268_435_456, .max, .min] {
      table[row] = Self.figures()
      #expect(table[row] == nil)
    }
  }

  @Test(
    "What is too great for its place is brought to the border",
    arguments: [Int64.max, .min, 1 << 47, -1 << 47, 1 << 40])
  func borders(at: Int64) {
    let table = Table()
    table[5] = Self.figures(at: at, sizes: [0x84, 0x00, 0x84, 0x80, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    #expect(table[5]?.at == max(min(at, 1 << 47 - 1), -(1 << 47 - 1)))
    #expect(table[5]?.title == 255 && table[5]?.body == 65_535 && table[5]?.tags == 255)
  }

  @Test(
    "Sizes of which bytes are missing count as none", arguments: [[], [0x82], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func cut(sizes: [UInt8]) {
    let figures = Self.figures(sizes: sizes)
    #expect(figures.body == 0 && figures.tags == 0)
  }

  @Test("A row that is let go is not known, and no row is once all are forgotten")
  func forgotten() {
    let table = Table()
    for row: Int64 in 0..<140_000 { table[row] = Self.figures(at: row) }
    table[7] = nil
    #expect(table[7] == nil && table[8]?.at == 8)
    cp_figures_forget(table.pointer)
    #expect((0..<140_000).allSatisfy { table[$0] == nil })
    table[139_999] = Self.figures(at: 5)
    #expect(table[139_999]?.at == 5)
  }
}
