// libxml2, loaded when the first feed or page is read: it brings thirty megabytes of ICU, and a daemon that reads none
// pays for none of it. And glibc's iconv, which Swift's module of glibc leaves out.
//
// libxml2 builds no tree here. Its events fill flat lists with bounds on all of them, so that no document of a stranger
// takes more memory than the caller allows, and nothing of libxml2 (entities, DTDs, the network) is ever asked for.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A piece of `cxml_document.bytes`.
typedef struct {
  uint32_t offset;
  uint32_t count;
} cxml_span;

/// An element, or a run of text. Nodes stand in the order of the document, each before what is in it.
typedef struct {
  /// The index after the last node that is in this one.
  uint32_t end;
  /// An element's local name, empty for a text.
  cxml_span name;
  /// An element's namespace; where its prefix was never declared, the prefix.
  cxml_span space;
  /// A text's bytes, in UTF-8.
  cxml_span text;
  uint32_t first_attribute;
  uint32_t attribute_count;
  bool is_element;
} cxml_node;

typedef struct {
  cxml_span name;
  cxml_span space;
  cxml_span value;
} cxml_attribute;

typedef struct {
  uint32_t nodes;
  uint32_t depth;
  /// Of names, values and texts together.
  uint32_t bytes;
} cxml_limits;

/// Why a document was not read to its end.
typedef enum {
  CXML_WHOLE = 0,
  CXML_TOO_LARGE = 1,
  CXML_TOO_DEEP = 2,
  CXML_CANCELLED = 3,
  CXML_NO_MEMORY = 4,
} cxml_end;

typedef struct {
  cxml_node *nodes;
  uint32_t node_count;
  cxml_attribute *attributes;
  uint32_t attribute_count;
  char *bytes;
  uint32_t byte_count;
  cxml_end end;
} cxml_document;

/// Asked every few thousand events; true ends the reading.
typedef bool (*cxml_is_cancelled)(void *context);

/// Loads libxml2, once. NULL, or why it cannot be used.
const char *cxml_load(void);

/// Both read UTF-8 and always give a document, of what could be read; NULL where there is no memory.
cxml_document *cxml_read_xml(const char *bytes, size_t count, cxml_limits limits, cxml_is_cancelled is_cancelled,
                             void *context);
cxml_document *cxml_read_html(const char *bytes, size_t count, cxml_limits limits, cxml_is_cancelled is_cancelled,
                              void *context);
void cxml_free(cxml_document *document);

/// The character that an entity of HTML names (`nbsp`), 0 for none. The name ends with NUL.
uint32_t cxml_html_entity(const char *name);

/// Writes the text, which is in an encoding of the given iconv name, as UTF-8, and U+FFFD for each byte that does not fit.
/// Returns how many bytes were written, -1 where iconv does not know the encoding, -2 where they are more than `room`.
/// `misfits` receives how many bytes did not fit.
ssize_t cxml_decode(const char *encoding, const char *bytes, size_t count, char *result, size_t room, size_t *misfits);

/// Guesses an encoding by the frequencies of letters, with libuchardet, which is loaded when it is first used. Writes the
/// encoding's name, at most `room` bytes with the NUL. Returns false where it has no guess, or there is no libuchardet.
bool cxml_detect(const char *bytes, size_t count, char *name, size_t room);
