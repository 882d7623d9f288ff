import Contract
import Testing

@testable import Display

@Suite("Texts that are no days") struct MisreadDayTests {
  private func misreading(_ text: String, locale: String = "en") -> MisreadDay? {
    NaturalDate.misreading(
      of: text, today: (2026, 11, 18), leaning: .ahead, locale: LocaleTag(locale) ?? .english
    ) { likelyName(for: $0, among: $1) }
  }

  @Test(
    "a day with a time is told apart from its time, which is named as it was written",
    arguments: [
      ("tomorrow 5pm", "5pm"), ("tomorrow at 5:30 pm", "at 5:30 pm"), ("friday 17:00", "17:00"),
      ("2026-11-21T17:00", "T17:00"), ("2026-11-21T17:00:00Z", "T17:00:00Z"), ("noon tomorrow", "noon"),
      ("tomorrow morning", "morning"), ("at 9 next friday", "at 9"), ("5pm", "5pm"), ("내일 오후 3시", "오후 3시"),
      ("내일 오후 3시 30분까지", "오후 3시 30분까지"), ("금요일 정오", "정오"), ("明日 午後3時", "午後3時"), ("明天下午3点半", "下午3点半"),
    ])
  func times(text: String, time: String) {
    #expect(spoken(text) == "nil")
    #expect(misreading(text) == .withTime(time))
  }

  @Test(
    "of a misspelled day the likely one is told",
    arguments: [
      ("tommorow", "tomorrow"), ("next fryday", "next friday"), ("tomorow", "tomorrow"), ("in 3 dayz", "in 3 days"),
      ("24 decembre", "24 december"), ("다음 주 월요알", "다음 주 월요일"),
      // Not "monday" alone, which what was done may be of.
      ("bymonday", "by monday"), ("duefriday", "due friday"), ("beforefriday", "before friday"),
    ])
  func misspelled(text: String, meant: String) {
    #expect(misreading(text, locale: text.utf8.first ?? 0 > 0x7F ? "ko" : "en") == .misspelled(likely: meant))
    #expect(spoken(meant) != "nil")
  }

  @Test(
    "where nothing is near, nothing is suggested: neither a day that does not exist, nor any other text",
    arguments: [
      "2026-02-30", "30 february", "soon", "fryday soon", "tommorow weather", "3시간", "", "the",
      String(repeating: "x", count: 64),
    ])
  func unknown(text: String) {
    #expect(misreading(text) == nil)
  }
}
