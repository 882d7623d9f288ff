import Foundation
import SQLite

/// A calibre library with the tables that calibre creates, three books, and the file of one.
package enum CalibreSample {
  /// The file of the first book, below the folder.
  package static let file = "Garth Nix/Sabriel (1)/Sabriel - Garth Nix.pdf"

  /// - Parameter more: statements to run after the books are there.
  package static func write(into folder: String, _ more: String = "") throws {
    let pdf = folder + "/" + file
    try FileManager.default.createDirectory(
      atPath: String(pdf[..<(pdf.lastIndex(of: "/") ?? pdf.endIndex)]), withIntermediateDirectories: true)
    try Data(SamplePDF(pages: [.init(["Does the walker choose the path?"])]).bytes).write(to: URL(filePath: pdf))
    let path = folder + "/metadata.db"
    try? FileManager.default.removeItem(atPath: path)
    let db = try Database(path: path)
    try db.execute("PRAGMA journal_mode = DELETE")
    try db.execute(tables)
    try db.execute(books)
    try db.execute(more)
  }

  private static let tables = """
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT COLLATE NOCASE,
      link TEXT NOT NULL DEFAULT "", UNIQUE(name));
    CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
      sort TEXT COLLATE NOCASE, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
      pubdate TIMESTAMP DEFAULT CURRENT_TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0,
      author_sort TEXT COLLATE NOCASE, isbn TEXT DEFAULT "" COLLATE NOCASE, lccn TEXT DEFAULT "" COLLATE NOCASE,
      path TEXT NOT NULL DEFAULT "", flags INTEGER NOT NULL DEFAULT 1, uuid TEXT, has_cover BOOL DEFAULT 0,
      last_modified TIMESTAMP NOT NULL DEFAULT '2000-01-01 00:00:00+00:00');
    CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL,
      UNIQUE(book, author));
    CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, lang_code INTEGER NOT NULL,
      item_order INTEGER NOT NULL DEFAULT 0, UNIQUE(book, lang_code));
    CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, publisher INTEGER NOT NULL,
      UNIQUE(book));
    CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, rating INTEGER NOT NULL,
      UNIQUE(book, rating));
    CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, series INTEGER NOT NULL,
      UNIQUE(book));
    CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, tag INTEGER NOT NULL,
      UNIQUE(book, tag));
    CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NON NULL, text TEXT NON NULL COLLATE NOCASE,
      UNIQUE(book));
    CREATE TABLE custom_columns (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, name TEXT NOT NULL,
      datatype TEXT NOT NULL, mark_for_delete BOOL DEFAULT 0 NOT NULL, editable BOOL DEFAULT 1 NOT NULL,
      display TEXT DEFAULT "{}" NOT NULL, is_multiple BOOL DEFAULT 0 NOT NULL, normalized BOOL NOT NULL,
      UNIQUE(label));
    CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER NON NULL, format TEXT NON NULL COLLATE NOCASE,
      uncompressed_size INTEGER NON NULL, name TEXT NON NULL, UNIQUE(book, format));
    CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER NON NULL,
      type TEXT NON NULL DEFAULT 'isbn' COLLATE NOCASE, val TEXT NON NULL COLLATE NOCASE, UNIQUE(book, type));
    CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT NON NULL COLLATE NOCASE, UNIQUE(lang_code));
    CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT, UNIQUE(name));
    CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER CHECK(rating > -1 AND rating < 11), UNIQUE(rating));
    CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT, UNIQUE(name));
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, UNIQUE(name));
    CREATE TABLE last_read_positions (id INTEGER PRIMARY KEY, book INTEGER NOT NULL,
      format TEXT NOT NULL COLLATE NOCASE, user TEXT NOT NULL, device TEXT NOT NULL, cfi TEXT NOT NULL,
      epoch REAL NOT NULL, pos_frac REAL NOT NULL DEFAULT 0, UNIQUE(user, device, book, format));
    CREATE TABLE annotations (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, format TEXT NOT NULL COLLATE NOCASE,
      user_type TEXT NOT NULL, user TEXT NOT NULL, timestamp REAL NOT NULL, annot_id TEXT NOT NULL,
      annot_type TEXT NOT NULL, annot_data TEXT NOT NULL, searchable_text TEXT NOT NULL DEFAULT "",
      UNIQUE(book, user_type, user, format, annot_type, annot_id));
    CREATE VIEW meta AS SELECT id, title, (SELECT sortconcat(bal.id, name) FROM books_authors_link AS bal
      JOIN authors ON (author = authors.id) WHERE book = books.id) authors FROM books;
    CREATE TRIGGER books_insert_trg AFTER INSERT ON books BEGIN
      UPDATE books SET sort = title_sort(NEW.title), uuid = uuid4() WHERE id = NEW.id; END;
    DROP TRIGGER books_insert_trg;
    CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL COLLATE NOCASE,
      link TEXT NOT NULL DEFAULT "", UNIQUE(value));
    CREATE TABLE books_custom_column_1_link (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER NOT NULL,
      value INTEGER NOT NULL, UNIQUE(book, value));
    CREATE TABLE custom_column_2 (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER, value BOOL NOT NULL,
      UNIQUE(book));
    CREATE TABLE custom_column_3 (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER, value timestamp NOT NULL,
      UNIQUE(book));
    CREATE TABLE custom_column_4 (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER, value INT NOT NULL,
      UNIQUE(book));
    CREATE TABLE custom_column_5 (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL COLLATE NOCASE,
      link TEXT NOT NULL DEFAULT "", UNIQUE(value));
    CREATE TABLE books_custom_column_5_link (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER NOT NULL,
      value INTEGER NOT NULL, UNIQUE(book, value));
    CREATE TABLE custom_column_6 (id INTEGER PRIMARY KEY AUTOINCREMENT, book INTEGER, value TEXT NOT NULL,
      UNIQUE(book));
    """

  private static let books = """
    INSERT INTO books (id, title, timestamp, pubdate, series_index, path, uuid, has_cover) VALUES
      (1, 'Sabriel', '2021-04-05 12:00:00+00:00', '1995-06-30 12:00:00+00:00', 1.0, 'Garth Nix/Sabriel (1)',
        '6f1c0e38-0000-4000-8000-000000000001', 1),
      (2, 'Mort', '2021-04-06 12:00:00.123456+00:00', '0101-01-01 00:00:00+00:00', 4.0,
        'Terry Pratchett/Mort (2)', '6f1c0e38-0000-4000-8000-000000000002', 0),
      (3, 'Nobody knows', '2021-04-07 12:00:00+00:00', '0101-01-01 00:00:00+00:00', 1.0, 'Unknown/Nobody knows (3)',
        '6f1c0e38-0000-4000-8000-000000000003', 0);
    INSERT INTO authors (id, name) VALUES (7, 'Garth Nix'), (8, 'King| Jr.'), (9, 'Terry Pratchett'), (10, 'Unknown');
    INSERT INTO books_authors_link (id, book, author) VALUES (1, 1, 7), (2, 1, 8), (3, 2, 9), (4, 3, 10);
    INSERT INTO series (id, name) VALUES (1, 'Abhorsen'), (2, 'Discworld');
    INSERT INTO books_series_link (book, series) VALUES (1, 1), (2, 2);
    INSERT INTO tags (id, name) VALUES (1, 'Fantasy'), (2, 'Fiction.Young');
    INSERT INTO books_tags_link (book, tag) VALUES (1, 1), (1, 2), (2, 1);
    INSERT INTO ratings (id, rating) VALUES (1, 9), (2, 0);
    INSERT INTO books_ratings_link (book, rating) VALUES (1, 1), (2, 2);
    INSERT INTO publishers (id, name) VALUES (1, 'HarperCollins');
    INSERT INTO books_publishers_link (book, publisher) VALUES (1, 1);
    INSERT INTO languages (id, lang_code) VALUES (1, 'eng');
    INSERT INTO books_languages_link (book, lang_code) VALUES (1, 1);
    INSERT INTO identifiers (book, type, val) VALUES (1, 'isbn', '9780060273224'), (1, 'goodreads', '518848'),
      (2, 'google', 'abcDEF123456');
    INSERT INTO comments (book, text) VALUES (1, '<div><p>Beyond the Wall.</p><p>There are <i>dead</i>.</p></div>');
    INSERT INTO data (book, format, uncompressed_size, name) VALUES
      (1, 'PDF', 900, 'Sabriel - Garth Nix'), (1, 'EPUB', 800, 'Sabriel - Garth Nix'), (2, 'EPUB', 700, 'Mort');
    INSERT INTO custom_columns (id, label, name, datatype, is_multiple, normalized) VALUES
      (1, 'mood', 'Mood', 'text', 1, 1), (2, 'read', 'Read', 'bool', 0, 0),
      (3, 'date_read', 'Date read', 'datetime', 0, 0), (4, 'pages', 'Pages', 'int', 0, 0),
      (5, 'cupboard', 'Cupboard', 'enumeration', 0, 1),
      (6, 'notes', 'My notes', 'comments', 0, 0);
    INSERT INTO custom_column_1 (id, value) VALUES (1, 'dark'), (2, 'slow');
    INSERT INTO books_custom_column_1_link (book, value) VALUES (1, 1), (1, 2);
    INSERT INTO custom_column_2 (book, value) VALUES (1, 1), (3, 0);
    INSERT INTO custom_column_3 (book, value) VALUES (1, '2021-05-01 12:00:00+00:00');
    INSERT INTO custom_column_4 (book, value) VALUES (1, 491), (2, -1);
    INSERT INTO custom_column_5 (id, value) VALUES (1, 'Top left');
    INSERT INTO books_custom_column_5_link (book, value) VALUES (1, 1);
    INSERT INTO custom_column_6 (book, value) VALUES (1, '<p>Read <b>twice</b>.</p>');
    INSERT INTO last_read_positions (book, format, user, device, cfi, epoch, pos_frac) VALUES
      (2, 'EPUB', 'local', 'calibre-desktop-viewer', '/4', 1617700000.0, 0.2),
      (2, 'EPUB', 'local', 'phone', '/6', 1617800000.0, 0.4253);
    INSERT INTO annotations (book, format, user_type, user, timestamp, annot_id, annot_type, annot_data) VALUES
      (2, 'EPUB', 'local', 'viewer', 1.0, 'a', 'highlight',
        '{"highlighted_text": "Second.", "notes": "Mine.", "spine_index": 3, "start_cfi": "/2/4/10/1:2"}'),
      (2, 'EPUB', 'local', 'viewer', 2.0, 'b', 'highlight',
        '{"highlighted_text": "First.", "spine_index": 3, "start_cfi": "/2/4/2/1:20"}'),
      (2, 'EPUB', 'local', 'viewer', 3.0, 'c', 'highlight', '{"removed": true, "uuid": "c"}'),
      (2, 'EPUB', 'local', 'viewer', 4.0, 'd', 'bookmark', '{"title": "here"}'),
      (2, 'EPUB', 'local', 'viewer', 5.0, 'e', 'highlight', 'no JSON');
    """
}
