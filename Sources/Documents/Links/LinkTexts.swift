import Display

/// The sentences of stable links.
enum LinkTexts {
  static let entries: [Catalogue.Entry] = [
    .init(
      "documents.badLink", en: "“{field}” is no link to a document: {link}.",
      ko: "“{field}”은(는) 문서 링크가 아닙니다: {link}."),
    .init(
      "documents.badLink.advice",
      en: "A link is commonplace:/documents/<id>, and behind it #page=<number> or #highlight=<id>.",
      ko: "링크는 commonplace:/documents/<id>이고 뒤에 #page=<번호> 또는 #highlight=<id>를 붙일 수 있습니다."),
    .init(
      "documents.linkedDocumentGone", en: "The document that the link leads to is not in the library: {id}.",
      ko: "링크가 가리키는 문서가 서재에 없습니다: {id}."),
    .init(
      "documents.linkedDocumentGone.advice",
      en: "It may have been removed; `changes/log` shows it, and `changes/undo` brings it back.",
      ko: "삭제되었을 수 있습니다. `changes/log`에서 확인하고 `changes/undo`로 되돌릴 수 있습니다."),
    .init(
      "documents.linkedHighlightGone", en: "The highlight that the link leads to is not there any more: {id}.",
      ko: "링크가 가리키는 하이라이트가 더 이상 없습니다: {id}."),
    .init(
      "documents.linkedHighlightGone.advice",
      en: "It may have been removed; `documents/highlights` lists those that are left.",
      ko: "삭제되었을 수 있습니다. 남은 것은 `documents/highlights`에서 볼 수 있습니다."),
  ]
}
