import Contract

/// How urgent a card is: Taskwarrior's polynomial with its default coefficients. Each term is a coefficient times a
/// share from 0 to 1.
///
///     12     deadline, 0.2 two weeks before it or earlier, rising day by day to 1 a week after it
///      8     an open card waits for it
///      6     `CardPriority.urgency`
///      5     its start has come
///      4     begun
///      2     age, rising to 1 within a year
///      1     tags, 0.8 for one, 0.9 for two, 1 for more
///     15     the tag `next`
///      1     body, 0.8
///     -3     later (`Readiness`)
///     -5     it waits for an open card
enum Urgency {
  /// SQL for the urgency of a card, in thousandths. A card is open as long as it has no time of completion.
  static func sql(on today: CalendarDay) -> String {
    let today = "'\(today.description)'"
    let overdue = "(julianday(\(today)) - julianday(deadline))"
    func hasOpen(_ other: String, _ own: String) -> String {
      """
      EXISTS (SELECT 1 FROM projectBlock JOIN project other ON other.id = projectBlock.\(other) \
      WHERE projectBlock.\(own) = project.id AND other.completedAt IS NULL)
      """
    }
    let terms = [
      """
      CASE WHEN deadline IS NULL THEN 0 WHEN \(overdue) >= 7 THEN 12 WHEN \(overdue) >= -14 \
      THEN 12 * ((\(overdue) + 14) * 0.8 / 21 + 0.2) ELSE 2.4 END
      """,
      "8 * \(hasOpen("card", "blocker"))",
      CardPriority.urgency,
      "5 * (start IS NOT NULL AND start <= \(today))",
      "4 * (startedAt IS NOT NULL)",
      "2 * max(0, min(1, (julianday(\(today)) - julianday(writtenAt / 1000, 'unixepoch')) / 365))",
      "CASE json_array_length(tags) WHEN 0 THEN 0 WHEN 1 THEN 0.8 WHEN 2 THEN 0.9 ELSE 1 END",
      "15 * EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'next')",
      "0.8 * (body <> '')",
      "-3 * (someday OR (start IS NOT NULL AND start > \(today)))",
      "-5 * \(hasOpen("blocker", "card"))",
    ]
    return "CAST(round(1000 * (\(terms.map { "(\($0))" }.joined(separator: " + ")))) AS INTEGER)"
  }
}
