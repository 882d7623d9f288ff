#include "reader.h"

#include <string.h>
#include <utf8proc.h>

static const int folding = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;

static bool within(int32_t c, int32_t first, int32_t last) { return c >= first && c <= last; }

/* Characters that folding leaves as they are and that never compose with what stands before them:
 * most of a Korean, Japanese or Chinese text, spared the tables. */
static bool stands_alone(int32_t c) {
  return within(c, 0xAC00, 0xD7A3) || within(c, 0x4E00, 0x9FFF) || within(c, 0x3041, 0x3096) ||
         within(c, 0x30A1, 0x30FC) || within(c, 0x3400, 0x4DBF);
}

/* Characters that may not stand alone but begin a new sequence: punctuation and full-width forms. */
static bool begins_sequence(int32_t c) {
  return stands_alone(c) || within(c, 0x2010, 0x2027) || within(c, 0x3000, 0x3029) ||
         within(c, 0xFF01, 0xFF65) || c == CP_INVALID;
}

bool cp_begins_sequence(const uint8_t *p, const uint8_t *limit) {
  int32_t c;
  cp_decode(p, limit, &c);
  return begins_sequence(c);
}

static bool is_mark(const utf8proc_property_t *property) {
  return property->category == UTF8PROC_CATEGORY_MN || property->category == UTF8PROC_CATEGORY_MC ||
         property->category == UTF8PROC_CATEGORY_ME;
}

/* Whether `c`, decomposed, may compose with or be reordered before `previous`. A vowel or a final
 * of Hangul does so only where it can: otherwise it is a letter of its own, as in ㅠㅠ. */
static bool extends(int32_t previous, int32_t c) {
  if (within(c, 0x1161, 0x1175)) return within(previous, 0x1100, 0x1112);
  if (within(c, 0x11A8, 0x11C2)) return within(previous, 0x1161, 0x1175);
  const utf8proc_property_t *property = utf8proc_get_property(c);
  return property->combining_class != 0 || is_mark(property);
}

static int decompose(const cp_reader *reader, int32_t c, int32_t *out, int room) {
  int boundary = 0;
  int options = reader->keeps_case ? folding & ~UTF8PROC_CASEFOLD : folding;
  if (reader->keeps_forms) options &= ~UTF8PROC_COMPAT;
  utf8proc_ssize_t count = utf8proc_decompose_char(c, out, room, (utf8proc_option_t)options, &boundary);
  if (count >= 0 && count <= room) return (int)count;
  out[0] = c;
  return 1;
}

/* Canonical order: marks sorted by class between characters of class 0, equal ones in their order. */
static void order_marks(int32_t *characters, int count) {
  for (int i = 1; i < count; i++) {
    int32_t c = characters[i];
    int class = utf8proc_get_property(c)->combining_class;
    int j = i;
    while (class != 0 && j > 0 && utf8proc_get_property(characters[j - 1])->combining_class > class) {
      characters[j] = characters[j - 1];
      j--;
    }
    characters[j] = c;
  }
}

void cp_reader_start(cp_reader *reader, const char *text, size_t length) {
  reader->begin = reader->next = (const uint8_t *)text;
  reader->limit = reader->begin + length;
  reader->start = reader->end = 0;
  reader->count = 0;
  reader->keeps_case = reader->keeps_forms = false;
}

/* Reads a sequence that is not known to be one plain character. */
static void read_sequence(cp_reader *reader, int32_t c, const uint8_t *p) {
  int count = decompose(reader, c, reader->characters, CP_SEQUENCE);
  while (p < reader->limit && *p >= 0x80 && count <= CP_SEQUENCE - CP_EXPANSION) {
    int32_t following, parts[CP_EXPANSION];
    int length = cp_decode(p, reader->limit, &following);
    if (begins_sequence(following)) break;
    int added = decompose(reader, following, parts, CP_EXPANSION);
    if (added > 0 && (count == 0 || !extends(reader->characters[count - 1], parts[0]))) break;
    memcpy(reader->characters + count, parts, (size_t)added * sizeof *parts);
    count += added;
    p += length;
  }
  order_marks(reader->characters, count);
  utf8proc_ssize_t composed = utf8proc_normalize_utf32(
      reader->characters, count, (utf8proc_option_t)(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  reader->count = composed >= 0 ? (int)composed : count;
  reader->next = p;
}

bool cp_reader_next(cp_reader *reader) {
  const uint8_t *p = reader->next;
  if (p >= reader->limit) return false;
  reader->start = (size_t)(p - reader->begin);
  int32_t c;
  int length = cp_decode(p, reader->limit, &c);
  const uint8_t *after = p + length;
  bool alone = c < 0x80 || stands_alone(c);
  if (alone && after < reader->limit && *after >= 0x80) {
    int32_t following;
    cp_decode(after, reader->limit, &following);
    alone = begins_sequence(following);
  }
  if (alone || c == CP_INVALID) {
    reader->characters[0] = within(c, 'A', 'Z') && !reader->keeps_case ? c + 32 : c;
    reader->count = 1;
    reader->next = after;
  } else {
    read_sequence(reader, c, after);
  }
  reader->end = (size_t)(reader->next - reader->begin);
  return true;
}

/* Scripts written without spaces between words, and Hangul, whose words carry particles: letters of
 * these are indexed one by one. */
static bool in_run_block(int32_t c) {
  return within(c, 0xAC00, 0xD7FB) || within(c, 0x4E00, 0x9FFF) || within(c, 0x3005, 0x30FF) ||
         within(c, 0x3400, 0x4DBF) || within(c, 0x1100, 0x11FF) || within(c, 0x3105, 0x31FF) ||
         within(c, 0x0E00, 0x0EFF) || within(c, 0x1000, 0x109F) || within(c, 0x1780, 0x17FF) ||
         within(c, 0xA000, 0xA48F) || within(c, 0xA960, 0xA97F) || within(c, 0xF900, 0xFAFF) ||
         within(c, 0x1AFF0, 0x1B16F) || within(c, 0x20000, 0x3FFFD);
}

cp_class cp_classify(int32_t c) {
  if (c < 0x80) return within(c, 'a', 'z') || within(c, '0', '9') ? CP_IN_WORD : CP_SEPARATOR;
  if (within(c, 0xAC00, 0xD7A3) || within(c, 0x4E00, 0x9FFF)) return CP_IN_RUN;
  const utf8proc_property_t *property = utf8proc_get_property(c);
  switch (property->category) {
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_MC:
  case UTF8PROC_CATEGORY_ME:
    return CP_MARK;
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
  case UTF8PROC_CATEGORY_NL:
    return in_run_block(c) ? CP_IN_RUN : CP_IN_WORD;
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NO:
  case UTF8PROC_CATEGORY_CO:
    return CP_IN_WORD;
  /* A character newer than our tables may be a letter: found as it stands it does no harm. */
  case UTF8PROC_CATEGORY_CN:
    return in_run_block(c) ? CP_IN_RUN : CP_IN_WORD;
  case UTF8PROC_CATEGORY_SO:
    return property->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
                   property->boundclass == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR
               ? CP_PICTOGRAPH
               : CP_SEPARATOR;
  default:
    return CP_SEPARATOR;
  }
}

int32_t cp_common_letter(int32_t c) {
  /* ヷ to ヺ have no hiragana of their own, and ー is written in both. */
  if (within(c, 0x30A1, 0x30F6) || within(c, 0x30FD, 0x30FE)) return c - 0x60;
  return cp_simplified(c);
}

bool cp_is_letter(int32_t c) {
  if (c < 0x80) return within(c, 'a', 'z') || within(c, 'A', 'Z');
  switch (utf8proc_get_property(c)->category) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return true;
  default: return false;
  }
}

bool cp_is_hyphen(int32_t c) { return c == '-' || c == 0x2010; }

bool cp_is_line_end(int32_t c) { return (c >= 0x0A && c <= 0x0D) || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool cp_is_blank(int32_t c) {
  if (c < 0x80) return c == ' ' || within(c, 0x09, 0x0D);
  return cp_is_line_end(c) || utf8proc_get_property(c)->category == UTF8PROC_CATEGORY_ZS;
}

bool cp_ends_with_soft_hyphen(const uint8_t *begin, const uint8_t *end) {
  return end - begin >= 2 && end[-2] == 0xC2 && end[-1] == 0xAD;
}

size_t cp_encode(int32_t c, uint8_t out[4]) {
  if (c >= 0 && c < 0x80) {
    out[0] = (uint8_t)c;
    return 1;
  }
  utf8proc_ssize_t length = utf8proc_encode_char(c < 0 ? 0xFFFD : c, out);
  return length > 0 ? (size_t)length : 0;
}

/* Letters with a stroke or joined, which have no decomposition but are typed without. */
static int plain_letter(int32_t c, int32_t out[2]) {
  out[0] = c;
  switch (c) {
  case 0x00E6: out[0] = 'a'; out[1] = 'e'; return 2; /* æ */
  case 0x0153: out[0] = 'o'; out[1] = 'e'; return 2; /* œ */
  case 0x00F8: out[0] = 'o'; return 1;               /* ø */
  case 0x0111: out[0] = 'd'; return 1;               /* đ */
  case 0x0127: out[0] = 'h'; return 1;               /* ħ */
  case 0x0131: out[0] = 'i'; return 1;               /* ı */
  case 0x0142: out[0] = 'l'; return 1;               /* ł */
  /* What Arabic keyboards and habits change for one another. */
  case 0x0629: out[0] = 0x0647; return 1;            /* ة ه */
  case 0x0649:                                       /* ى ي */
  case 0x06CC: out[0] = 0x064A; return 1;            /* ی ي */
  case 0x06A9: out[0] = 0x0643; return 1;            /* ک ك */
  case 0x0671: out[0] = 0x0627; return 1;            /* ٱ ا */
  case 0x0640: return 0;                             /* tatweel, which only stretches a word */
  default: return 1;
  }
}

int cp_without_diacritics(int32_t c, int32_t out[2]) {
  bool plains = within(c, 'a', 'z') || within(c, 0x00DF, 0x024F) || within(c, 0x0300, 0x03FF) ||
                within(c, 0x0590, 0x06FF) || within(c, 0x0750, 0x077F) || within(c, 0x08A0, 0x08FF) ||
                within(c, 0x1E00, 0x1FFF);
  if (!plains) return -1;
  if (c < 0x80) {
    out[0] = c;
    return 1;
  }
  if (is_mark(utf8proc_get_property(c))) return 0;
  int boundary = 0;
  int32_t parts[CP_EXPANSION];
  utf8proc_ssize_t count = utf8proc_decompose_char(c, parts, CP_EXPANSION, UTF8PROC_DECOMPOSE, &boundary);
  return plain_letter(count > 0 ? parts[0] : c, out);
}

size_t cp_article(const char *word, size_t length) {
  static const char *const articles[] = {"ال", "لل", "وال", "بال", "كال", "فال"};
  /* All letters of these have two bytes, and so have those that follow. */
  const size_t least = 3 * 2;
  for (size_t i = 0; i < sizeof articles / sizeof *articles; i++) {
    size_t size = strlen(articles[i]);
    if (length >= size + least && memcmp(word, articles[i], size) == 0) return size;
  }
  return 0;
}
