import Display

/// Why a question cannot be understood, and what to do.
enum QueryTexts {
  static let entries: [Catalogue.Entry] = [
    .init(
      "search.unclosedQuote", en: "A quotation begins at character {offset} and does not end.",
      ko: "{offset}번째 글자에서 시작한 따옴표가 닫히지 않았습니다."),
    .init(
      "search.unclosedQuote.advice", en: "Close it with \", or leave the quote out.",
      ko: "\"로 닫거나 따옴표를 빼십시오."),
    .init(
      "search.unclosedGroup", en: "The parenthesis at character {offset} is not closed.",
      ko: "{offset}번째 글자의 괄호가 닫히지 않았습니다."),
    .init(
      "search.unclosedGroup.advice", en: "Close it with ), or put it into quotes: \"(\".",
      ko: ")로 닫거나 \"(\"처럼 따옴표 안에 쓰십시오."),
    .init(
      "search.emptyGroup", en: "There is nothing between the parentheses at character {offset}.",
      ko: "{offset}번째 글자의 괄호 안이 비어 있습니다."),
    .init("search.emptyGroup.advice", en: "Put words there, or leave them out.", ko: "단어를 넣거나 괄호를 빼십시오."),
    .init(
      "search.groupsTooDeep", en: "Groups lie more than {limit} deep at character {offset}.",
      ko: "{offset}번째 글자에서 괄호가 {limit}겹을 넘습니다."),
    .init("search.groupsTooDeep.advice", en: "Ask with fewer parentheses.", ko: "괄호를 줄이십시오."),
    .init(
      "search.nothingBefore", en: "Nothing stands before {operator} at character {offset}.",
      ko: "{offset}번째 글자의 {operator} 앞에 아무것도 없습니다."),
    .init(
      "search.nothingBefore.advice", en: "Put a word before it; to look for the word itself write \"{operator}\".",
      ko: "앞에 단어를 넣으십시오. 그 단어 자체를 찾으려면 \"{operator}\"로 쓰십시오."),
    .init(
      "search.nothingBehind", en: "Nothing stands behind {operator} at character {offset}.",
      ko: "{offset}번째 글자의 {operator} 뒤에 아무것도 없습니다."),
    .init(
      "search.nothingBehind.advice", en: "Put a word behind it; to look for the word itself write \"{operator}\".",
      ko: "뒤에 단어를 넣으십시오. 그 단어 자체를 찾으려면 \"{operator}\"로 쓰십시오."),
    .init(
      "search.nothingAsked", en: "{name}: at character {offset} has nothing behind it.",
      ko: "{offset}번째 글자의 {name}: 뒤에 아무것도 없습니다."),
    .init(
      "search.nothingAsked.advice",
      en: "Write it without a blank, such as {name}:word; to look for the words themselves put them into quotes.",
      ko: "{name}:단어처럼 빈칸 없이 이어 쓰십시오. 그 말 자체를 찾으려면 따옴표 안에 쓰십시오."),
    .init(
      "search.unknownCollection", en: "There is nothing called “{value}” to search in (character {offset}).",
      ko: "검색할 곳 가운데 ‘{value}’은(는) 없습니다({offset}번째 글자)."),
    .init(
      "search.unknownCollection.advice", en: "Behind in: choose one of: {choices}.",
      ko: "in: 뒤에는 다음 가운데 하나를 쓰십시오: {choices}."),
    .init(
      "search.unknownCollectionNearest", en: "There is nothing called “{value}” to search in (character {offset}).",
      ko: "검색할 곳 가운데 ‘{value}’은(는) 없습니다({offset}번째 글자)."),
    .init(
      "search.unknownCollectionNearest.advice", en: "Did you mean in:{nearest}? There are: {choices}.",
      ko: "혹시 in:{nearest}입니까? 있는 것은 {choices}입니다."),
    .init(
      "search.unknownState", en: "Nothing is ever “{value}” (character {offset}).",
      ko: "‘{value}’(이)라는 상태는 없습니다({offset}번째 글자)."),
    .init(
      "search.unknownState.advice", en: "Behind is: choose one of: {choices}.",
      ko: "is: 뒤에는 다음 가운데 하나를 쓰십시오: {choices}."),
    .init(
      "search.unknownStateNearest", en: "Nothing is ever “{value}” (character {offset}).",
      ko: "‘{value}’(이)라는 상태는 없습니다({offset}번째 글자)."),
    .init(
      "search.unknownStateNearest.advice", en: "Did you mean is:{nearest}? There are: {choices}.",
      ko: "혹시 is:{nearest}입니까? 있는 것은 {choices}입니다."),
    .init(
      "search.several", en: "{name}: takes one name, and “{value}” has several (character {offset}).",
      ko: "{name}: 뒤에는 이름을 하나만 쓸 수 있는데 ‘{value}’에는 여럿 있습니다({offset}번째 글자)."),
    .init(
      "search.several.advice", en: "To ask for any of them write {example}.", ko: "이 가운데 하나라도 찾으려면 {example}(으)로 쓰십시오."),
    .init(
      "search.untagged", en: "Nothing of what is searched has tags (character {offset}).",
      ko: "검색하는 곳에는 태그가 있는 항목이 없습니다({offset}번째 글자)."),
    .init(
      "search.untagged.advice", en: "Tags are in: {choices}. Elsewhere look for the word itself.",
      ko: "태그는 다음에 있습니다: {choices}. 다른 곳에서는 그 말 자체를 찾으십시오."),
    .init(
      "search.neverDue", en: "Nothing of what is searched has a deadline (character {offset}).",
      ko: "검색하는 곳에는 기한이 있는 항목이 없습니다({offset}번째 글자)."),
    .init(
      "search.neverDue.advice", en: "Deadlines are in: {choices}. Elsewhere ask with before: and after:.",
      ko: "기한은 다음에 있습니다: {choices}. 다른 곳에서는 before:와 after:로 찾으십시오."),
    .init(
      "search.unreadableDay", en: "“{value}” is no day (character {offset}).",
      ko: "‘{value}’은(는) 날짜가 아닙니다({offset}번째 글자)."),
    .init("search.unreadableDay.advice", en: "Write one such as: {examples}.", ko: "다음처럼 쓰십시오: {examples}."),
    .init(
      "search.mixed",
      en: "{name}: at character {offset} stands beside words in an OR or a NOT; it holds for a whole text.",
      ko: "{offset}번째 글자의 {name}:이 OR나 NOT 안에서 단어와 섞여 있습니다. 이 조건은 글 전체에 적용됩니다."),
    .init(
      "search.mixed.advice", en: "Put it behind the words, outside of their parentheses.",
      ko: "단어의 괄호 밖으로 꺼내어 뒤에 쓰십시오."),
    .init(
      "search.tooManyTerms", en: "These are more than {limit} words and conditions, from character {offset} on.",
      ko: "{offset}번째 글자부터 단어와 조건이 {limit}개를 넘습니다."),
    .init("search.tooManyTerms.advice", en: "Ask with fewer.", ko: "줄여서 찾으십시오."),
    .init(
      "search.tooLong", en: "These are more than {limit} words and letters to look for, from character {offset} on.",
      ko: "{offset}번째 글자부터 찾을 단어와 글자가 {limit}개를 넘습니다."),
    .init("search.tooLong.advice", en: "Ask for a shorter passage.", ko: "더 짧은 구절로 찾으십시오."),
    .init(
      "search.otherQuestion", en: "“{field}” is a place in the list of another question: {value}.",
      ko: "‘{field}’은(는) 다른 검색 결과의 위치입니다: {value}."),
    .init(
      "search.otherQuestion.advice",
      en: "Give the “next” of the last reply to this very question, or leave it out to begin anew.",
      ko: "같은 검색에 대한 마지막 응답의 ‘next’ 값을 쓰거나, 빼고 처음부터 찾으십시오."),
    .init(
      "search.nothingToFind", en: "There is no letter and no digit to look for.", ko: "찾을 글자나 숫자가 없습니다."),
    .init("search.nothingToFind.advice", en: "Write a word.", ko: "단어를 쓰십시오."),
  ]
}
