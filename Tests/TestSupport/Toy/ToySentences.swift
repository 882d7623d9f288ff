import Display

extension Catalogue {
  /// The program's sentences and those of the features of this folder and of `Bookmarks`.
  package static let withToys = Catalogue(adding: [
    .english: """
    item.toys = toy
    toys.tooPlain = {title} is too plain for a toy.
    webBookmarks.collection = Bookmarks
    """,
    .japanese: """
    item.toys = おもちゃ
    toys.tooPlain = {title}はおもちゃとして平凡すぎます。
    webBookmarks.collection = お気に入り
    """,
    .korean: """
    item.toys = 장난감
    toys.tooPlain = {title}은(는) 장난감으로 너무 평범합니다.
    webBookmarks.collection = 즐겨찾기
    """,
    .chinese: """
    item.toys = 玩具
    toys.tooPlain = {title}作为玩具太普通了。
    webBookmarks.collection = 收藏夹
    """,
  ])
}
