/* Written by the tests, with REGENERATE=1: every file of Sources/commonplace-web/Page, by path. */

static const unsigned char file0[] = {
#embed "../commonplace-web/Page/documents/documents.js"
};

static const unsigned char file1[] = {
#embed "../commonplace-web/Page/icon.svg"
};

static const unsigned char file2[] = {
#embed "../commonplace-web/Page/index.html"
};

static const unsigned char file3[] = {
#embed "../commonplace-web/Page/kernel/connection.js"
};

static const unsigned char file4[] = {
#embed "../commonplace-web/Page/kernel/describe.js"
};

static const unsigned char file5[] = {
#embed "../commonplace-web/Page/kernel/dialog.js"
};

static const unsigned char file6[] = {
#embed "../commonplace-web/Page/kernel/dom.js"
};

static const unsigned char file7[] = {
#embed "../commonplace-web/Page/kernel/form.js"
};

static const unsigned char file8[] = {
#embed "../commonplace-web/Page/kernel/keys.js"
};

static const unsigned char file9[] = {
#embed "../commonplace-web/Page/kernel/list.js"
};

static const unsigned char file10[] = {
#embed "../commonplace-web/Page/kernel/notice.js"
};

static const unsigned char file11[] = {
#embed "../commonplace-web/Page/kernel/places.js"
};

static const unsigned char file12[] = {
#embed "../commonplace-web/Page/kernel/prefs.js"
};

static const unsigned char file13[] = {
#embed "../commonplace-web/Page/kernel/router.js"
};

static const unsigned char file14[] = {
#embed "../commonplace-web/Page/kernel/store.js"
};

static const unsigned char file15[] = {
#embed "../commonplace-web/Page/kernel/theme.css"
};

static const unsigned char file16[] = {
#embed "../commonplace-web/Page/kernel/words.js"
};

static const unsigned char file17[] = {
#embed "../commonplace-web/Page/main.js"
};

static const unsigned char file18[] = {
#embed "../commonplace-web/Page/parts/days.js"
};

static const unsigned char file19[] = {
#embed "../commonplace-web/Page/parts/drag.js"
};

static const unsigned char file20[] = {
#embed "../commonplace-web/Page/parts/history.js"
};

static const unsigned char file21[] = {
#embed "../commonplace-web/Page/parts/keyed.js"
};

static const unsigned char file22[] = {
#embed "../commonplace-web/Page/parts/parts.css"
};

static const unsigned char file23[] = {
#embed "../commonplace-web/Page/parts/picker.js"
};

static const unsigned char file24[] = {
#embed "../commonplace-web/Page/parts/textdiff.js"
};

static const unsigned char file25[] = {
#embed "../commonplace-web/Page/projects/board.js"
};

static const unsigned char file26[] = {
#embed "../commonplace-web/Page/projects/card.js"
};

static const unsigned char file27[] = {
#embed "../commonplace-web/Page/projects/columns.js"
};

static const unsigned char file28[] = {
#embed "../commonplace-web/Page/projects/dialog.js"
};

static const unsigned char file29[] = {
#embed "../commonplace-web/Page/projects/projects.css"
};

static const unsigned char file30[] = {
#embed "../commonplace-web/Page/projects/projects.js"
};

static const unsigned char file31[] = {
#embed "../commonplace-web/Page/projects/quickadd.js"
};

static const unsigned char file32[] = {
#embed "../commonplace-web/Page/projects/recurrence.js"
};

static const unsigned char file33[] = {
#embed "../commonplace-web/Page/projects/week.js"
};

static const unsigned char file34[] = {
#embed "../commonplace-web/Page/screens.js"
};

static const unsigned char file35[] = {
#embed "../commonplace-web/Page/search/search.js"
};

static const unsigned char file36[] = {
#embed "../commonplace-web/Page/shell.css"
};

static const unsigned char file37[] = {
#embed "../commonplace-web/Page/today/today.js"
};

static const unsigned char file38[] = {
#embed "../commonplace-web/Page/words/en-boards.js"
};

static const unsigned char file39[] = {
#embed "../commonplace-web/Page/words/en-books.js"
};

static const unsigned char file40[] = {
#embed "../commonplace-web/Page/words/en-diary.js"
};

static const unsigned char file41[] = {
#embed "../commonplace-web/Page/words/en-documents.js"
};

static const unsigned char file42[] = {
#embed "../commonplace-web/Page/words/en-kernel.js"
};

static const unsigned char file43[] = {
#embed "../commonplace-web/Page/words/en-library.js"
};

static const unsigned char file44[] = {
#embed "../commonplace-web/Page/words/en-projects.js"
};

static const unsigned char file45[] = {
#embed "../commonplace-web/Page/words/en-search.js"
};

static const unsigned char file46[] = {
#embed "../commonplace-web/Page/words/en-today.js"
};

static const unsigned char file47[] = {
#embed "../commonplace-web/Page/words/en.js"
};

static const unsigned char file48[] = {
#embed "../commonplace-web/Page/words/ko-boards.js"
};

static const unsigned char file49[] = {
#embed "../commonplace-web/Page/words/ko-books.js"
};

static const unsigned char file50[] = {
#embed "../commonplace-web/Page/words/ko-diary.js"
};

static const unsigned char file51[] = {
#embed "../commonplace-web/Page/words/ko-documents.js"
};

static const unsigned char file52[] = {
#embed "../commonplace-web/Page/words/ko-kernel.js"
};

static const unsigned char file53[] = {
#embed "../commonplace-web/Page/words/ko-library.js"
};

static const unsigned char file54[] = {
#embed "../commonplace-web/Page/words/ko-projects.js"
};

static const unsigned char file55[] = {
#embed "../commonplace-web/Page/words/ko-search.js"
};

static const unsigned char file56[] = {
#embed "../commonplace-web/Page/words/ko-today.js"
};

static const unsigned char file57[] = {
#embed "../commonplace-web/Page/words/ko.js"
};

static const struct file files[] = {
    {"documents/documents.js", file0, sizeof file0},
    {"icon.svg", file1, sizeof file1},
    {"index.html", file2, sizeof file2},
    {"kernel/connection.js", file3, sizeof file3},
    {"kernel/describe.js", file4, sizeof file4},
    {"kernel/dialog.js", file5, sizeof file5},
    {"kernel/dom.js", file6, sizeof file6},
    {"kernel/form.js", file7, sizeof file7},
    {"kernel/keys.js", file8, sizeof file8},
    {"kernel/list.js", file9, sizeof file9},
    {"kernel/notice.js", file10, sizeof file10},
    {"kernel/places.js", file11, sizeof file11},
    {"kernel/prefs.js", file12, sizeof file12},
    {"kernel/router.js", file13, sizeof file13},
    {"kernel/store.js", file14, sizeof file14},
    {"kernel/theme.css", file15, sizeof file15},
    {"kernel/words.js", file16, sizeof file16},
    {"main.js", file17, sizeof file17},
    {"parts/days.js", file18, sizeof file18},
    {"parts/drag.js", file19, sizeof file19},
    {"parts/history.js", file20, sizeof file20},
    {"parts/keyed.js", file21, sizeof file21},
    {"parts/parts.css", file22, sizeof file22},
    {"parts/picker.js", file23, sizeof file23},
    {"parts/textdiff.js", file24, sizeof file24},
    {"projects/board.js", file25, sizeof file25},
    {"projects/card.js", file26, sizeof file26},
    {"projects/columns.js", file27, sizeof file27},
    {"projects/dialog.js", file28, sizeof file28},
    {"projects/projects.css", file29, sizeof file29},
    {"projects/projects.js", file30, sizeof file30},
    {"projects/quickadd.js", file31, sizeof file31},
    {"projects/recurrence.js", file32, sizeof file32},
    {"projects/week.js", file33, sizeof file33},
    {"screens.js", file34, sizeof file34},
    {"search/search.js", file35, sizeof file35},
    {"shell.css", file36, sizeof file36},
    {"today/today.js", file37, sizeof file37},
    {"words/en-boards.js", file38, sizeof file38},
    {"words/en-books.js", file39, sizeof file39},
    {"words/en-diary.js", file40, sizeof file40},
    {"words/en-documents.js", file41, sizeof file41},
    {"words/en-kernel.js", file42, sizeof file42},
    {"words/en-library.js", file43, sizeof file43},
    {"words/en-projects.js", file44, sizeof file44},
    {"words/en-search.js", file45, sizeof file45},
    {"words/en-today.js", file46, sizeof file46},
    {"words/en.js", file47, sizeof file47},
    {"words/ko-boards.js", file48, sizeof file48},
    {"words/ko-books.js", file49, sizeof file49},
    {"words/ko-diary.js", file50, sizeof file50},
    {"words/ko-documents.js", file51, sizeof file51},
    {"words/ko-kernel.js", file52, sizeof file52},
    {"words/ko-library.js", file53, sizeof file53},
    {"words/ko-projects.js", file54, sizeof file54},
    {"words/ko-search.js", file55, sizeof file55},
    {"words/ko-today.js", file56, sizeof file56},
    {"words/ko.js", file57, sizeof file57},
};
