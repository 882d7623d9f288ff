#include "CXML.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

// U+FFFD in UTF-8.
static const char replacement[] = "\xEF\xBF\xBD";

ssize_t cxml_decode(const char *encoding, const char *bytes, size_t count, char *result, size_t room, size_t *misfits) {
  *misfits = 0;
  iconv_t converter = iconv_open("UTF-8", encoding);
  if (converter == (iconv_t)-1) return -1;
  char *from = (char *)bytes, *to = result;
  size_t left = count;
  while (left > 0) {
    if (iconv(converter, &from, &left, &to, &room) != (size_t)-1) break;
    if (errno == E2BIG || room < sizeof replacement) {
      iconv_close(converter);
      return -2;
    }
    // One byte is stepped over, so that an ASCII letter after half a character stays.
    memcpy(to, replacement, sizeof replacement - 1);
    to += sizeof replacement - 1;
    room -= sizeof replacement - 1;
    from++;
    left--;
    ++*misfits;
  }
  // Encodings with shifts may still owe a character.
  bool is_whole = iconv(converter, NULL, NULL, &to, &room) != (size_t)-1 || errno != E2BIG;
  iconv_close(converter);
  return is_whole ? to - result : -2;
}
