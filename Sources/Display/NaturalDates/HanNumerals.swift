extension DayNumerals {
  /// 二十四 and 二〇二六, as in Japanese and Chinese.
  static let han: DayNumerals = {
    var numerals = DayNumerals()
    numerals.digits = [
      "〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "两": 2, "兩": 2,
    ]
    numerals.powers = ["十": 10, "百": 100, "千": 1_000]
    return numerals
  }()
}
