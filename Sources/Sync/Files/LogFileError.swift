/// Why the content of a log file cannot be used.
package enum LogFileError: Error, Equatable {
  /// Not what any version of this format writes.
  case damaged
  /// A newer version wrote it: it is left alone.
  case newerFormat
  /// It claims a key that was replaced since: nobody reads it any more.
  case olderKey
}
