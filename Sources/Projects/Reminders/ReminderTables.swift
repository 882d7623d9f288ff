import SQLite
import Store

/// The table of what reminds, which follows from the cards (`added`, and triggers on changed and removed ones), so that
/// it is right even when undo or an archive writes the rows.
///
/// `moment` orders the reminders of one `kind`. It is in seconds: of an instant (0) since 1970, of a local time (1) as
/// if its zone were UTC, and of a day without a time (2) as if it reminded at midnight. The zone and the time at which
/// days remind belong to the settings, so a reader adds them (`ReminderTimes`).
///
/// Finished cards have no rows, and neither have reminders that were due more than two days before they were dismissed
/// or the card was added: whether a closer one was depends on the zone.
enum ReminderTables {
  static let sql = """
    ALTER TABLE project ADD COLUMN reminders TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE project ADD COLUMN snoozedUntil INTEGER;
    ALTER TABLE project ADD COLUMN dismissedAt INTEGER;
    CREATE TABLE projectReminder (
      card TEXT NOT NULL, reminder TEXT NOT NULL, kind INTEGER NOT NULL, moment INTEGER NOT NULL,
      PRIMARY KEY (card, reminder)) WITHOUT ROWID;
    CREATE INDEX projectReminderByMoment ON projectReminder (kind, moment);
    CREATE TRIGGER projectReminderCame AFTER INSERT ON project
    WHEN new.completedAt IS NULL AND (new.reminders <> '[]' OR new.snoozedUntil IS NOT NULL) BEGIN
      \(insertion)
    END;
    CREATE TRIGGER projectReminderChanged
    AFTER UPDATE OF reminders, snoozedUntil, dismissedAt, deadline, time, start, completedAt ON project
    WHEN old.reminders <> '[]' OR new.reminders <> '[]' OR old.snoozedUntil IS NOT NULL
      OR new.snoozedUntil IS NOT NULL BEGIN
      DELETE FROM projectReminder WHERE card = old.id;
      \(insertion)
    END;
    CREATE TRIGGER projectReminderWent AFTER DELETE ON project
    WHEN old.reminders <> '[]' OR old.snoozedUntil IS NOT NULL BEGIN
      DELETE FROM projectReminder WHERE card = old.id;
    END;
    """

  /// Of an added card; those of changed cards follow by triggers.
  static let added = FollowingRows(
    none: [("reminders", .text("[]")), ("snoozedUntil", .null)], added: [insertion])

  /// The row of a card that was snoozed, instead of a reminder.
  static let snooze = "snooze"

  private static let insertion = """
    INSERT OR IGNORE INTO projectReminder
      SELECT new.id, reminder, kind, moment FROM (
        SELECT reminder, kind, CASE kind WHEN 0 THEN unixepoch(reminder)
          ELSE unixepoch(day || ' ' || time) + CAST(distance AS INTEGER) * iif(instr(distance, 'd'), 86400, 60) END
          AS moment
        FROM (
          SELECT value AS reminder,
            CASE WHEN value GLOB '[0-9]*' THEN 0
              WHEN instr(value, '@') OR (new.time IS NOT NULL AND value NOT GLOB 's*') THEN 1 ELSE 2 END AS kind,
            iif(value GLOB 's*', new.start, new.deadline) AS day,
            CASE WHEN instr(value, '@') THEN substr(value, instr(value, '@') + 1)
              WHEN value GLOB 's*' OR new.time IS NULL THEN '00:00' ELSE new.time END AS time,
            iif(value GLOB 's*', substr(value, 6), value) AS distance
          FROM json_each(new.reminders))
        UNION ALL SELECT '\(snooze)', 0, new.snoozedUntil / 1000)
      WHERE moment IS NOT NULL AND new.completedAt IS NULL
        AND moment * 1000 > max(new.createdAt, ifnull(new.dismissedAt, 0)) - 200000000;
    """
}
