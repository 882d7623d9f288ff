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
#embed "../commonplace-web/Page/documents/adding.js"
};

static const unsigned char file14[] = {
#embed "../commonplace-web/Page/documents/cover.js"
};

static const unsigned char file15[] = {
#embed "../commonplace-web/Page/documents/documents.css"
};

static const unsigned char file16[] = {
#embed "../commonplace-web/Page/documents/documents.js"
};

static const unsigned char file17[] = {
#embed "../commonplace-web/Page/documents/edit.js"
};

static const unsigned char file18[] = {
#embed "../commonplace-web/Page/documents/find.js"
};

static const unsigned char file19[] = {
#embed "../commonplace-web/Page/documents/marks.js"
};

static const unsigned char file20[] = {
#embed "../commonplace-web/Page/documents/pages.js"
};

static const unsigned char file21[] = {
#embed "../commonplace-web/Page/documents/panel.js"
};

static const unsigned char file22[] = {
#embed "../commonplace-web/Page/documents/print.js"
};

static const unsigned char file23[] = {
#embed "../commonplace-web/Page/documents/reader.js"
};

static const unsigned char file24[] = {
#embed "../commonplace-web/Page/documents/shelf.js"
};

static const unsigned char file25[] = {
#embed "../commonplace-web/Page/documents/text.js"
};

static const unsigned char file26[] = {
#embed "../commonplace-web/Page/documents/tools.js"
};

static const unsigned char file27[] = {
#embed "../commonplace-web/Page/icon.svg"
};

static const unsigned char file28[] = {
#embed "../commonplace-web/Page/index.html"
};

static const unsigned char file29[] = {
#embed "../commonplace-web/Page/kernel.js"
};

static const unsigned char file30[] = {
#embed "../commonplace-web/Page/kernel/connection.js"
};

static const unsigned char file31[] = {
#embed "../commonplace-web/Page/kernel/controls.js"
};

static const unsigned char file32[] = {
#embed "../commonplace-web/Page/kernel/describe.js"
};

static const unsigned char file33[] = {
#embed "../commonplace-web/Page/kernel/dialog.js"
};

static const unsigned char file34[] = {
#embed "../commonplace-web/Page/kernel/dom.js"
};

static const unsigned char file35[] = {
#embed "../commonplace-web/Page/kernel/draft.js"
};

static const unsigned char file36[] = {
#embed "../commonplace-web/Page/kernel/form.js"
};

static const unsigned char file37[] = {
#embed "../commonplace-web/Page/kernel/keys.js"
};

static const unsigned char file38[] = {
#embed "../commonplace-web/Page/kernel/list.js"
};

static const unsigned char file39[] = {
#embed "../commonplace-web/Page/kernel/notice.js"
};

static const unsigned char file40[] = {
#embed "../commonplace-web/Page/kernel/places.js"
};

static const unsigned char file41[] = {
#embed "../commonplace-web/Page/kernel/prefs.js"
};

static const unsigned char file42[] = {
#embed "../commonplace-web/Page/kernel/router.js"
};

static const unsigned char file43[] = {
#embed "../commonplace-web/Page/kernel/store.js"
};

static const unsigned char file44[] = {
#embed "../commonplace-web/Page/kernel/theme.css"
};

static const unsigned char file45[] = {
#embed "../commonplace-web/Page/kernel/timing.js"
};

static const unsigned char file46[] = {
#embed "../commonplace-web/Page/kernel/words.js"
};

static const unsigned char file47[] = {
#embed "../commonplace-web/Page/library/changes.js"
};

static const unsigned char file48[] = {
#embed "../commonplace-web/Page/library/conflicts.js"
};

static const unsigned char file49[] = {
#embed "../commonplace-web/Page/library/devices.js"
};

static const unsigned char file50[] = {
#embed "../commonplace-web/Page/library/facts.js"
};

static const unsigned char file51[] = {
#embed "../commonplace-web/Page/library/library.css"
};

static const unsigned char file52[] = {
#embed "../commonplace-web/Page/library/library.js"
};

static const unsigned char file53[] = {
#embed "../commonplace-web/Page/library/transfer.js"
};

static const unsigned char file54[] = {
#embed "../commonplace-web/Page/main.js"
};

static const unsigned char file55[] = {
#embed "../commonplace-web/Page/notes/notes.js"
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
#embed "../commonplace-web/Page/parts/drop.js"
};

static const unsigned char file61[] = {
#embed "../commonplace-web/Page/parts/editor.js"
};

static const unsigned char file62[] = {
#embed "../commonplace-web/Page/parts/files.js"
};

static const unsigned char file63[] = {
#embed "../commonplace-web/Page/parts/history.js"
};

static const unsigned char file64[] = {
#embed "../commonplace-web/Page/parts/keyed.js"
};

static const unsigned char file65[] = {
#embed "../commonplace-web/Page/parts/lineends.js"
};

static const unsigned char file66[] = {
#embed "../commonplace-web/Page/parts/links.js"
};

static const unsigned char file67[] = {
#embed "../commonplace-web/Page/parts/parts.css"
};

static const unsigned char file68[] = {
#embed "../commonplace-web/Page/parts/picker.js"
};

static const unsigned char file69[] = {
#embed "../commonplace-web/Page/parts/textdiff.js"
};

static const unsigned char file70[] = {
#embed "../commonplace-web/Page/parts/texts.css"
};

static const unsigned char file71[] = {
#embed "../commonplace-web/Page/parts/texts.js"
};

static const unsigned char file72[] = {
#embed "../commonplace-web/Page/projects/board.js"
};

static const unsigned char file73[] = {
#embed "../commonplace-web/Page/projects/boards.js"
};

static const unsigned char file74[] = {
#embed "../commonplace-web/Page/projects/card.js"
};

static const unsigned char file75[] = {
#embed "../commonplace-web/Page/projects/column.js"
};

static const unsigned char file76[] = {
#embed "../commonplace-web/Page/projects/columns.js"
};

static const unsigned char file77[] = {
#embed "../commonplace-web/Page/projects/dialog.js"
};

static const unsigned char file78[] = {
#embed "../commonplace-web/Page/projects/lanes.js"
};

static const unsigned char file79[] = {
#embed "../commonplace-web/Page/projects/projects.css"
};

static const unsigned char file80[] = {
#embed "../commonplace-web/Page/projects/projects.js"
};

static const unsigned char file81[] = {
#embed "../commonplace-web/Page/projects/quickadd.js"
};

static const unsigned char file82[] = {
#embed "../commonplace-web/Page/projects/recurrence.js"
};

static const unsigned char file83[] = {
#embed "../commonplace-web/Page/projects/week.js"
};

static const unsigned char file84[] = {
#embed "../commonplace-web/Page/screens.js"
};

static const unsigned char file85[] = {
#embed "../commonplace-web/Page/search/hits.js"
};

static const unsigned char file86[] = {
#embed "../commonplace-web/Page/search/palette.js"
};

static const unsigned char file87[] = {
#embed "../commonplace-web/Page/search/search.css"
};

static const unsigned char file88[] = {
#embed "../commonplace-web/Page/search/search.js"
};

static const unsigned char file89[] = {
#embed "../commonplace-web/Page/shell.css"
};

static const unsigned char file90[] = {
#embed "../commonplace-web/Page/today/today.css"
};

static const unsigned char file91[] = {
#embed "../commonplace-web/Page/today/today.js"
};

static const unsigned char file92[] = {
#embed "../commonplace-web/Page/today/writing.js"
};

static const unsigned char file93[] = {
#embed "../commonplace-web/Page/words/en.js"
};

static const unsigned char file94[] = {
#embed "../commonplace-web/Page/words/ja.js"
};

static const unsigned char file95[] = {
#embed "../commonplace-web/Page/words/ko.js"
};

static const unsigned char file96[] = {
#embed "../commonplace-web/Page/words/zh.js"
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
    {"documents/adding.js", file13, sizeof file13},
    {"documents/cover.js", file14, sizeof file14},
    {"documents/documents.css", file15, sizeof file15},
    {"documents/documents.js", file16, sizeof file16},
    {"documents/edit.js", file17, sizeof file17},
    {"documents/find.js", file18, sizeof file18},
    {"documents/marks.js", file19, sizeof file19},
    {"documents/pages.js", file20, sizeof file20},
    {"documents/panel.js", file21, sizeof file21},
    {"documents/print.js", file22, sizeof file22},
    {"documents/reader.js", file23, sizeof file23},
    {"documents/shelf.js", file24, sizeof file24},
    {"documents/text.js", file25, sizeof file25},
    {"documents/tools.js", file26, sizeof file26},
    {"icon.svg", file27, sizeof file27},
    {"index.html", file28, sizeof file28},
    {"kernel.js", file29, sizeof file29},
    {"kernel/connection.js", file30, sizeof file30},
    {"kernel/controls.js", file31, sizeof file31},
    {"kernel/describe.js", file32, sizeof file32},
    {"kernel/dialog.js", file33, sizeof file33},
    {"kernel/dom.js", file34, sizeof file34},
    {"kernel/draft.js", file35, sizeof file35},
    {"kernel/form.js", file36, sizeof file36},
    {"kernel/keys.js", file37, sizeof file37},
    {"kernel/list.js", file38, sizeof file38},
    {"kernel/notice.js", file39, sizeof file39},
    {"kernel/places.js", file40, sizeof file40},
    {"kernel/prefs.js", file41, sizeof file41},
    {"kernel/router.js", file42, sizeof file42},
    {"kernel/store.js", file43, sizeof file43},
    {"kernel/theme.css", file44, sizeof file44},
    {"kernel/timing.js", file45, sizeof file45},
    {"kernel/words.js", file46, sizeof file46},
    {"library/changes.js", file47, sizeof file47},
    {"library/conflicts.js", file48, sizeof file48},
    {"library/devices.js", file49, sizeof file49},
    {"library/facts.js", file50, sizeof file50},
    {"library/library.css", file51, sizeof file51},
    {"library/library.js", file52, sizeof file52},
    {"library/transfer.js", file53, sizeof file53},
    {"main.js", file54, sizeof file54},
    {"notes/notes.js", file55, sizeof file55},
    {"parts/cite.js", file56, sizeof file56},
    {"parts/days.js", file57, sizeof file57},
    {"parts/decisions.js", file58, sizeof file58},
    {"parts/drag.js", file59, sizeof file59},
    {"parts/drop.js", file60, sizeof file60},
    {"parts/editor.js", file61, sizeof file61},
    {"parts/files.js", file62, sizeof file62},
    {"parts/history.js", file63, sizeof file63},
    {"parts/keyed.js", file64, sizeof file64},
    {"parts/lineends.js", file65, sizeof file65},
    {"parts/links.js", file66, sizeof file66},
    {"parts/parts.css", file67, sizeof file67},
    {"parts/picker.js", file68, sizeof file68},
    {"parts/textdiff.js", file69, sizeof file69},
    {"parts/texts.css", file70, sizeof file70},
    {"parts/texts.js", file71, sizeof file71},
    {"projects/board.js", file72, sizeof file72},
    {"projects/boards.js", file73, sizeof file73},
    {"projects/card.js", file74, sizeof file74},
    {"projects/column.js", file75, sizeof file75},
    {"projects/columns.js", file76, sizeof file76},
    {"projects/dialog.js", file77, sizeof file77},
    {"projects/lanes.js", file78, sizeof file78},
    {"projects/projects.css", file79, sizeof file79},
    {"projects/projects.js", file80, sizeof file80},
    {"projects/quickadd.js", file81, sizeof file81},
    {"projects/recurrence.js", file82, sizeof file82},
    {"projects/week.js", file83, sizeof file83},
    {"screens.js", file84, sizeof file84},
    {"search/hits.js", file85, sizeof file85},
    {"search/palette.js", file86, sizeof file86},
    {"search/search.css", file87, sizeof file87},
    {"search/search.js", file88, sizeof file88},
    {"shell.css", file89, sizeof file89},
    {"today/today.css", file90, sizeof file90},
    {"today/today.js", file91, sizeof file91},
    {"today/writing.js", file92, sizeof file92},
    {"words/en.js", file93, sizeof file93},
    {"words/ja.js", file94, sizeof file94},
    {"words/ko.js", file95, sizeof file95},
    {"words/zh.js", file96, sizeof file96},
};
