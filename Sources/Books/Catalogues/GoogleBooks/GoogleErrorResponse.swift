import Contract
import HTTP
import Wire

/// Interprets the errors of Google Books. The status alone is ambiguous: a bad key is 400, a used-up quota and a burst
/// are both 429, and the oldest forms of these are 403.
enum GoogleErrorResponse {
  static func judgement(of response: HTTPResponse, hasKey: Bool, now: Instant) -> ServiceDecision {
    guard response.status >= 400 else { return .answer }
    let error = (try? JSONParser.parse([UInt8](response.body)))?["error"] ?? .null
    let reasons = Set(
      (error["errors"]?.arrayValue ?? []).compactMap { $0["reason"]?.givenText }
        + (error["details"]?.arrayValue ?? []).compactMap { $0["reason"]?.givenText })
    if !reasons.isDisjoint(with: ["API_KEY_INVALID", "keyInvalid", "keyExpired"]) {
      return .refused(reason: "googleKeyInvalid")
    }
    if !reasons.isDisjoint(with: ["accessNotConfigured", "SERVICE_DISABLED"]) {
      return .refused(reason: "googleServiceDisabled")
    }
    if reasons.contains("dailyLimitExceededUnreg") {
      return .refused(reason: hasKey ? "googleKeyQuota" : "googleKeyNeeded")
    }
    let isLimited =
      response.status == 429
      || !reasons.isDisjoint(with: ["rateLimitExceeded", "userRateLimitExceeded"]) || !reasons.isDisjoint(with: daily)
    if isLimited { return limit(error, reasons, hasKey: hasKey, now: now) }
    return ServiceDecision.usual(response)
  }

  /// The reasons that mean a used-up daily quota.
  private static let daily: Set<String> = ["dailyLimitExceeded", "quotaExceeded"]

  private static func limit(
    _ error: JSONValue, _ reasons: Set<String>, hasKey: Bool, now: Instant
  ) -> ServiceDecision {
    let quotas = (error["details"]?.arrayValue ?? []).compactMap { $0["metadata"]?["quota_limit_value"]?.givenText }
    // The quota without a key, or of a project whose quota is zero. That may be changed at any time.
    if quotas.contains("0") { return .refused(reason: hasKey ? "googleKeyQuota" : "googleKeyNeeded") }
    let message = error["message"]?.givenText ?? ""
    let units = (error["details"]?.arrayValue ?? []).compactMap { $0["metadata"]?["quota_unit"]?.givenText }
    let isDaily =
      !reasons.isDisjoint(with: daily) || message.contains("per day") || units.contains { $0.contains("/d/") }
    return isDaily ? .closed(for: untilNextDay(now), reason: "googleQuota") : .retryLater(after: nil)
  }

  /// Quotas start anew at midnight in California. Daylight saving time is ignored, since an hour too late is harmless.
  /// Standard time is UTC−8.
  static func untilNextDay(_ now: Instant) -> Duration {
    let day: Int64 = 86_400_000
    let local = now.milliseconds - 8 * 3_600_000
    let passed = ((local % day) + day) % day
    return .milliseconds(day - passed)
  }
}
