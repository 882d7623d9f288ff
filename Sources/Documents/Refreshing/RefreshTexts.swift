import Display

/// The sentences of documents that are fetched again, and of marks that are looked for in other bytes.
enum RefreshTexts {
  static let entries: [Catalogue.Entry] = [
    .init(
      "documents.noSource", en: "“{title}” came as bytes, from nowhere that could be asked again.",
      ko: "“{title}”은(는) 데이터로 받은 문서라 다시 가져올 곳이 없습니다."),
    .init(
      "documents.secretNotStored", en: "The token in {url} is not stored, so it cannot be fetched again by itself.",
      ko: "{url}의 토큰은 저장되지 않으므로 그대로 다시 가져올 수 없습니다."),
    .init(
      "documents.secretNotStored.advice", en: "Give its whole URL as `url` once more.",
      ko: "전체 URL을 url에 다시 지정하십시오."),
    .init(
      "documents.unconfirmedFile", en: "Nobody has confirmed the address {url} here, so the file was not read.",
      ko: "{url}은(는) 여기에서 확인되지 않은 주소이므로 파일을 읽지 않았습니다."),
    .init(
      "documents.unconfirmedFile.advice",
      en: "If you trust it, confirm it: give this `url` to `documents/update`.",
      ko: "믿을 수 있는 주소라면 documents/update에 이 url을 지정하여 확인하십시오."),
    .init(
      "documents.unconfirmed",
      en: "Nobody has confirmed the address {url} here, and it leads into a private network: it was not contacted.",
      ko: "{url}은(는) 여기에서 확인되지 않은 주소이고 사설 네트워크로 이어지므로 연결하지 않았습니다."),
    .init(
      "documents.unconfirmed.advice",
      en: "If you trust it, confirm it: give this `url` to `documents/update`.",
      ko: "믿을 수 있는 주소라면 documents/update에 이 url을 지정하여 확인하십시오."),
    .init(
      "documents.bytesTaken", en: "These bytes are already in the library, as “{title}”.",
      ko: "이 파일은 이미 “{title}”(으)로 서재에 있습니다."),
    .init(
      "documents.bytesTaken.advice", en: "`documents/adopt` moves the marks to that document.",
      ko: "`documents/adopt`로 표시를 그 문서로 옮길 수 있습니다."),
    .init(
      "documents.noOrphan", en: "{id} is none of the marks of “{title}” that have lost their place.",
      ko: "{id}은(는) “{title}”에서 위치를 잃은 표시가 아닙니다."),
    .init("documents.memoTaken", en: "Page {page} has a memo already.", ko: "{page}쪽에는 이미 메모가 있습니다."),
    .init(
      "documents.memoTaken.advice",
      en: "Write both texts into that one, and take the orphan away by an empty text.",
      ko: "그 메모에 두 글을 함께 쓰고, 위치를 잃은 메모는 빈 글로 지우십시오."),
    .init("documents.adoptItself", en: "a document cannot adopt its own marks", ko: "문서가 자신의 표시를 가져올 수는 없습니다"),
    .init("progress.readingPages", en: "Reading its text: {done} of {total} pages", ko: "글을 읽는 중: {total}쪽 중 {done}쪽"),
    .init("progress.anchoring", en: "Looking for its marks", ko: "표시의 위치를 찾는 중"),
  ]
}
