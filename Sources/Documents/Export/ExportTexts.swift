import Display

/// The words of exported marks.
enum ExportTexts {
  static let entries: [Catalogue.Entry] = [
    .init("documents.export.bookmarked", en: "Bookmarked.", ko: "책갈피."),
    .init("documents.export.orphans", en: "Not in the present file", ko: "현재 파일에 없는 표시"),
    .init(
      "documents.export.lockedWords", en: "Its words are in an earlier file, which a password protects.",
      ko: "비밀번호로 보호된 이전 파일에 있는 글입니다."),
    .init("documents.export.wasOn", en: "It was on page {page}.", ko: "이전 {page}쪽."),
  ]
}
