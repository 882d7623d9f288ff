/* Written by the tests, with REGENERATE=1: every file of Sources/commonplace-web/Page, by path. */

static const unsigned char file0[] = {
#embed "../commonplace-web/Page/boards/boards.css"
};

static const unsigned char file1[] = {
#embed "../commonplace-web/Page/boards/boards.js"
};

static const unsigned char file2[] = {
#embed "../commonplace-web/Page/boards/frame.js"
};

static const unsigned char file3[] = {
#embed "../commonplace-web/Page/boards/post.js"
};

static const unsigned char file4[] = {
#embed "../commonplace-web/Page/boards/sources.js"
};

static const unsigned char file5[] = {
#embed "../commonplace-web/Page/books/book.js"
};

static const unsigned char file6[] = {
#embed "../commonplace-web/Page/books/books.css"
};

static const unsigned char file7[] = {
#embed "../commonplace-web/Page/books/books.js"
};

static const unsigned char file8[] = {
#embed "../commonplace-web/Page/books/cover.js"
};

static const unsigned char file9[] = {
#embed "../commonplace-web/Page/books/review.js"
};

static const unsigned char file10[] = {
#embed "../commonplace-web/Page/diary/calendar.js"
};

static const unsigned char file11[] = {
#embed "../commonplace-web/Page/diary/diary.css"
};

static const unsigned char file12[] = {
#embed "../commonplace-web/Page/diary/diary.js"
};

static const unsigned char file13[] = {
#embed "../commonplace-web/Page/diary/editor.js"
};

static const unsigned char file14[] = {
#embed "../commonplace-web/Page/documents/adding.js"
};

static const unsigned char file15[] = {
#embed "../commonplace-web/Page/documents/cover.js"
};

static const unsigned char file16[] = {
#embed "../commonplace-web/Page/documents/documents.css"
};

static const unsigned char file17[] = {
#embed "../commonplace-web/Page/documents/documents.js"
};

static const unsigned char file18[] = {
#embed "../commonplace-web/Page/documents/edit.js"
};

static const unsigned char file19[] = {
#embed "../commonplace-web/Page/documents/find.js"
};

static const unsigned char file20[] = {
#embed "../commonplace-web/Page/documents/marks.js"
};

static const unsigned char file21[] = {
#embed "../commonplace-web/Page/documents/pages.js"
};

static const unsigned char file22[] = {
#embed "../commonplace-web/Page/documents/panel.js"
};

static const unsigned char file23[] = {
#embed "../commonplace-web/Page/documents/print.js"
};

static const unsigned char file24[] = {
#embed "../commonplace-web/Page/documents/reader.js"
};

static const unsigned char file25[] = {
#embed "../commonplace-web/Page/documents/shelf.js"
};

static const unsigned char file26[] = {
#embed "../commonplace-web/Page/documents/text.js"
};

static const unsigned char file27[] = {
#embed "../commonplace-web/Page/documents/tools.js"
};

static const unsigned char file28[] = {
#embed "../commonplace-web/Page/icon.svg"
};

static const unsigned char file29[] = {
#embed "../commonplace-web/Page/index.html"
};

static const unsigned char file30[] = {
#embed "../commonplace-web/Page/kernel.js"
};

static const unsigned char file31[] = {
#embed "../commonplace-web/Page/kernel/connection.js"
};

static const unsigned char file32[] = {
#embed "../commonplace-web/Page/kernel/controls.js"
};

static const unsigned char file33[] = {
#embed "../commonplace-web/Page/kernel/describe.js"
};

static const unsigned char file34[] = {
#embed "../commonplace-web/Page/kernel/dialog.js"
};

static const unsigned char file35[] = {
#embed "../commonplace-web/Page/kernel/dom.js"
};

static const unsigned char file36[] = {
#embed "../commonplace-web/Page/kernel/draft.js"
};

static const unsigned char file37[] = {
#embed "../commonplace-web/Page/kernel/form.js"
};

static const unsigned char file38[] = {
#embed "../commonplace-web/Page/kernel/keys.js"
};

static const unsigned char file39[] = {
#embed "../commonplace-web/Page/kernel/list.js"
};

static const unsigned char file40[] = {
#embed "../commonplace-web/Page/kernel/notice.js"
};

static const unsigned char file41[] = {
#embed "../commonplace-web/Page/kernel/places.js"
};

static const unsigned char file42[] = {
#embed "../commonplace-web/Page/kernel/prefs.js"
};

static const unsigned char file43[] = {
#embed "../commonplace-web/Page/kernel/router.js"
};

static const unsigned char file44[] = {
#embed "../commonplace-web/Page/kernel/store.js"
};

static const unsigned char file45[] = {
#embed "../commonplace-web/Page/kernel/theme.css"
};

static const unsigned char file46[] = {
#embed "../commonplace-web/Page/kernel/timing.js"
};

static const unsigned char file47[] = {
#embed "../commonplace-web/Page/kernel/words.js"
};

static const unsigned char file48[] = {
#embed "../commonplace-web/Page/library/changes.js"
};

static const unsigned char file49[] = {
#embed "../commonplace-web/Page/library/conflicts.js"
};

static const unsigned char file50[] = {
#embed "../commonplace-web/Page/library/devices.js"
};

static const unsigned char file51[] = {
#embed "../commonplace-web/Page/library/facts.js"
};

static const unsigned char file52[] = {
#embed "../commonplace-web/Page/library/library.css"
};

static const unsigned char file53[] = {
#embed "../commonplace-web/Page/library/library.js"
};

static const unsigned char file54[] = {
#embed "../commonplace-web/Page/library/transfer.js"
};

static const unsigned char file55[] = {
#embed "../commonplace-web/Page/main.js"
};

static const unsigned char file56[] = {
#embed "../commonplace-web/Page/parts/cite.js"
};

static const unsigned char file57[] = {
#embed "../commonplace-web/Page/parts/days.js"
};

static const unsigned char file58[] = {
#embed "../commonplace-web/Page/parts/decisions.js"
};

static const unsigned char file59[] = {
#embed "../commonplace-web/Page/parts/drag.js"
};

static const unsigned char file60[] = {
#embed "../commonplace-web/Page/parts/files.js"
};

static const unsigned char file61[] = {
#embed "../commonplace-web/Page/parts/history.js"
};

static const unsigned char file62[] = {
#embed "../commonplace-web/Page/parts/keyed.js"
};

static const unsigned char file63[] = {
#embed "../commonplace-web/Page/parts/links.js"
};

static const unsigned char file64[] = {
#embed "../commonplace-web/Page/parts/parts.css"
};

static const unsigned char file65[] = {
#embed "../commonplace-web/Page/parts/picker.js"
};

static const unsigned char file66[] = {
#embed "../commonplace-web/Page/parts/textdiff.js"
};

static const unsigned char file67[] = {
#embed "../commonplace-web/Page/projects/board.js"
};

static const unsigned char file68[] = {
#embed "../commonplace-web/Page/projects/boards.js"
};

static const unsigned char file69[] = {
#embed "../commonplace-web/Page/projects/card.js"
};

static const unsigned char file70[] = {
#embed "../commonplace-web/Page/projects/columns.js"
};

static const unsigned char file71[] = {
#embed "../commonplace-web/Page/projects/dialog.js"
};

static const unsigned char file72[] = {
#embed "../commonplace-web/Page/projects/projects.css"
};

static const unsigned char file73[] = {
#embed "../commonplace-web/Page/projects/projects.js"
};

static const unsigned char file74[] = {
#embed "../commonplace-web/Page/projects/quickadd.js"
};

static const unsigned char file75[] = {
#embed "../commonplace-web/Page/projects/recurrence.js"
};

static const unsigned char file76[] = {
#embed "../commonplace-web/Page/projects/week.js"
};

static const unsigned char file77[] = {
#embed "../commonplace-web/Page/screens.js"
};

static const unsigned char file78[] = {
#embed "../commonplace-web/Page/search/hits.js"
};

static const unsigned char file79[] = {
#embed "../commonplace-web/Page/search/palette.js"
};

static const unsigned char file80[] = {
#embed "../commonplace-web/Page/search/search.css"
};

static const unsigned char file81[] = {
#embed "../commonplace-web/Page/search/search.js"
};

static const unsigned char file82[] = {
#embed "../commonplace-web/Page/shell.css"
};

static const unsigned char file83[] = {
#embed "../commonplace-web/Page/today/today.css"
};

static const unsigned char file84[] = {
#embed "../commonplace-web/Page/today/today.js"
};

static const unsigned char file85[] = {
#embed "../commonplace-web/Page/today/writing.js"
};

static const unsigned char file86[] = {
#embed "../commonplace-web/Page/words/en.js"
};

static const unsigned char file87[] = {
#embed "../commonplace-web/Page/words/ko.js"
};

static const struct file files[] = {
    {"boards/boards.css", file0, sizeof file0},
    {"boards/boards.js", file1, sizeof file1},
    {"boards/frame.js", file2, sizeof file2},
    {"boards/post.js", file3, sizeof file3},
    {"boards/sources.js", file4, sizeof file4},
    {"books/book.js", file5, sizeof file5},
    {"books/books.css", file6, sizeof file6},
    {"books/books.js", file7, sizeof file7},
    {"books/cover.js", file8, sizeof file8},
    {"books/review.js", file9, sizeof file9},
    {"diary/calendar.js", file10, sizeof file10},
    {"diary/diary.css", file11, sizeof file11},
    {"diary/diary.js", file12, sizeof file12},
    {"diary/editor.js", file13, sizeof file13},
    {"documents/adding.js", file14, sizeof file14},
    {"documents/cover.js", file15, sizeof file15},
    {"documents/documents.css", file16, sizeof file16},
    {"documents/documents.js", file17, sizeof file17},
    {"documents/edit.js", file18, sizeof file18},
    {"documents/find.js", file19, sizeof file19},
    {"documents/marks.js", file20, sizeof file20},
    {"documents/pages.js", file21, sizeof file21},
    {"documents/panel.js", file22, sizeof file22},
    {"documents/print.js", file23, sizeof file23},
    {"documents/reader.js", file24, sizeof file24},
    {"documents/shelf.js", file25, sizeof file25},
    {"documents/text.js", file26, sizeof file26},
    {"documents/tools.js", file27, sizeof file27},
    {"icon.svg", file28, sizeof file28},
    {"index.html", file29, sizeof file29},
    {"kernel.js", file30, sizeof file30},
    {"kernel/connection.js", file31, sizeof file31},
    {"kernel/controls.js", file32, sizeof file32},
    {"kernel/describe.js", file33, sizeof file33},
    {"kernel/dialog.js", file34, sizeof file34},
    {"kernel/dom.js", file35, sizeof file35},
    {"kernel/draft.js", file36, sizeof file36},
    {"kernel/form.js", file37, sizeof file37},
    {"kernel/keys.js", file38, sizeof file38},
    {"kernel/list.js", file39, sizeof file39},
    {"kernel/notice.js", file40, sizeof file40},
    {"kernel/places.js", file41, sizeof file41},
    {"kernel/prefs.js", file42, sizeof file42},
    {"kernel/router.js", file43, sizeof file43},
    {"kernel/store.js", file44, sizeof file44},
    {"kernel/theme.css", file45, sizeof file45},
    {"kernel/timing.js", file46, sizeof file46},
    {"kernel/words.js", file47, sizeof file47},
    {"library/changes.js", file48, sizeof file48},
    {"library/conflicts.js", file49, sizeof file49},
    {"library/devices.js", file50, sizeof file50},
    {"library/facts.js", file51, sizeof file51},
    {"library/library.css", file52, sizeof file52},
    {"library/library.js", file53, sizeof file53},
    {"library/transfer.js", file54, sizeof file54},
    {"main.js", file55, sizeof file55},
    {"parts/cite.js", file56, sizeof file56},
    {"parts/days.js", file57, sizeof file57},
    {"parts/decisions.js", file58, sizeof file58},
    {"parts/drag.js", file59, sizeof file59},
    {"parts/files.js", file60, sizeof file60},
    {"parts/history.js", file61, sizeof file61},
    {"parts/keyed.js", file62, sizeof file62},
    {"parts/links.js", file63, sizeof file63},
    {"parts/parts.css", file64, sizeof file64},
    {"parts/picker.js", file65, sizeof file65},
    {"parts/textdiff.js", file66, sizeof file66},
    {"projects/board.js", file67, sizeof file67},
    {"projects/boards.js", file68, sizeof file68},
    {"projects/card.js", file69, sizeof file69},
    {"projects/columns.js", file70, sizeof file70},
    {"projects/dialog.js", file71, sizeof file71},
    {"projects/projects.css", file72, sizeof file72},
    {"projects/projects.js", file73, sizeof file73},
    {"projects/quickadd.js", file74, sizeof file74},
    {"projects/recurrence.js", file75, sizeof file75},
    {"projects/week.js", file76, sizeof file76},
    {"screens.js", file77, sizeof file77},
    {"search/hits.js", file78, sizeof file78},
    {"search/palette.js", file79, sizeof file79},
    {"search/search.css", file80, sizeof file80},
    {"search/search.js", file81, sizeof file81},
    {"shell.css", file82, sizeof file82},
    {"today/today.css", file83, sizeof file83},
    {"today/today.js", file84, sizeof file84},
    {"today/writing.js", file85, sizeof file85},
    {"words/en.js", file86, sizeof file86},
    {"words/ko.js", file87, sizeof file87},
};
