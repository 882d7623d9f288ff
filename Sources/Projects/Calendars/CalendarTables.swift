/// The tables of subscribed calendars.
///
/// The events are not items: they are replaced with every changed file. `firstDay` and `lastDay` enclose all days of an
/// event in every time zone; a series without a known end has the last supported day. `times` is a VEVENT with only the
/// lines that its occurrences are computed from. They go with their calendar, so that one that an undo restores is
/// fetched again.
enum CalendarTables {
  static let sql = """
    CREATE TABLE calendar (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      url TEXT, path TEXT, confinement TEXT, title TEXT, credential TEXT, every INTEGER, isTyped INTEGER NOT NULL,
      foundTitle TEXT, fetchedAt INTEGER, nextAt INTEGER, failures INTEGER NOT NULL, failure TEXT,
      events INTEGER NOT NULL, isCut INTEGER NOT NULL);
    CREATE TABLE calendarFile (
      calendar TEXT PRIMARY KEY, validators TEXT, hash TEXT NOT NULL, zones TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE calendarEvent (
      calendar TEXT NOT NULL, number INTEGER NOT NULL, firstDay TEXT NOT NULL, lastDay TEXT NOT NULL,
      title TEXT NOT NULL, location TEXT, url TEXT, times TEXT NOT NULL, PRIMARY KEY (calendar, number)) WITHOUT ROWID;
    CREATE INDEX calendarEventByDay ON calendarEvent (lastDay, firstDay);
    CREATE TRIGGER calendarWent AFTER DELETE ON calendar BEGIN
      DELETE FROM calendarEvent WHERE calendar = old.id;
      DELETE FROM calendarFile WHERE calendar = old.id;
    END;
    """
}
