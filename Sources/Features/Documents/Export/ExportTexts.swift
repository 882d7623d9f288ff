import Display

/// The words of exported marks.
enum ExportTexts {
  static let entries: [Catalogue.Entry] = [
    .init("documents.export.bookmarked", en: "Bookmarked.", ko: "책갈피."),
    .init("documents.export.orphans", en: "Not in the present file", ko: "현재 파일에 없는 표시"),
    .init("documents.export.wasOn", en: "It was on page {page}.", ko: "이전 {page}쪽."),
  ]
}
