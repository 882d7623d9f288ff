import Display

extension Catalogue {
  /// The program's sentences and those of the features of this folder and of `Bookmarks`.
  package static let withToys = Catalogue(adding: [
    .english: """
    item.toys = toy
    toys.tooPlain = {title} is too plain for a toy.
    webBookmarks.collection = Bookmarks
    """,
    .korean: """
    item.toys = 장난감
    toys.tooPlain = {title}은(는) 장난감으로 너무 평범합니다.
    webBookmarks.collection = 즐겨찾기
    """,
  ])
}
