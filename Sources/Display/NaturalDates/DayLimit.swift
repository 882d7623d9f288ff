/// The limit that words beside a day make of it, for a deadline.
enum DayLimit: Sendable {
  /// "by", 까지, まで, 为止: the day is the last one.
  case until
  /// "before", 전까지, 前に, 之前: the day is too late.
  case before
}
