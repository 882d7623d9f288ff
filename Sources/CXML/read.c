#include "library.h"

#include <stdlib.h>
#include <string.h>

// How many events pass between two questions whether anybody still wants the document.
#define EVENTS_BETWEEN_CHECKS 4096
// Names come from the parser's dictionary, so that the same name is the same address while it reads.
#define NAME_SLOTS 256

struct reading {
  xmlParserCtxtPtr parser;
  cxml_document *document;
  cxml_limits limits;
  uint32_t node_room, attribute_room, byte_room;
  // The open elements' nodes.
  uint32_t *open;
  uint32_t depth;
  struct {
    const xmlChar *address;
    cxml_span span;
  } names[NAME_SLOTS];
  cxml_is_cancelled is_cancelled;
  void *context;
  uint32_t events;
  // Whether the last node is a text that the next piece of text goes on with.
  bool is_in_text;
};

static void stop(struct reading *reading, cxml_end end) {
  if (reading->document->end == CXML_WHOLE) reading->document->end = end;
  cxml_library.xmlStopParser(reading->parser);
}

static bool goes_on(struct reading *reading) {
  if (reading->document->end != CXML_WHOLE) return false;
  if (++reading->events % EVENTS_BETWEEN_CHECKS == 0 && reading->is_cancelled(reading->context)) {
    stop(reading, CXML_CANCELLED);
    return false;
  }
  return true;
}

// Room for one more of a list; twice as much each time, and never more than the limit.
static bool grow(struct reading *reading, void **list, uint32_t *room, uint32_t needed, uint32_t limit, size_t size) {
  if (needed <= *room) return true;
  if (needed > limit) {
    stop(reading, CXML_TOO_LARGE);
    return false;
  }
  uint64_t next = *room ? (uint64_t)*room * 2 : 64;
  while (next < needed) next *= 2;
  if (next > limit) next = limit;
  void *moved = realloc(*list, next * size);
  if (!moved) {
    stop(reading, CXML_NO_MEMORY);
    return false;
  }
  *list = moved;
  *room = (uint32_t)next;
  return true;
}

static bool put(struct reading *reading, const xmlChar *bytes, size_t count, cxml_span *span) {
  cxml_document *document = reading->document;
  if (count > reading->limits.bytes - document->byte_count) {
    stop(reading, CXML_TOO_LARGE);
    return false;
  }
  uint32_t needed = document->byte_count + (uint32_t)count;
  if (!grow(reading, (void **)&document->bytes, &reading->byte_room, needed, reading->limits.bytes, 1)) return false;
  if (count) memcpy(document->bytes + document->byte_count, bytes, count);
  *span = (cxml_span){document->byte_count, (uint32_t)count};
  document->byte_count = needed;
  return true;
}

static bool put_name(struct reading *reading, const xmlChar *name, cxml_span *span) {
  *span = (cxml_span){0, 0};
  if (!name) return true;
  size_t slot = ((uintptr_t)name >> 3) % NAME_SLOTS;
  if (reading->names[slot].address == name) {
    *span = reading->names[slot].span;
    return true;
  }
  if (!put(reading, name, strlen((const char *)name), span)) return false;
  reading->names[slot].address = name;
  reading->names[slot].span = *span;
  return true;
}

static cxml_node *add_node(struct reading *reading) {
  cxml_document *document = reading->document;
  if (!grow(reading, (void **)&document->nodes, &reading->node_room, document->node_count + 1, reading->limits.nodes,
            sizeof(cxml_node)))
    return NULL;
  cxml_node *node = &document->nodes[document->node_count++];
  memset(node, 0, sizeof *node);
  node->end = document->node_count;
  node->first_attribute = document->attribute_count;
  return node;
}

static bool add_attribute(struct reading *reading, const xmlChar *name, const xmlChar *space, const xmlChar *value,
                          size_t count) {
  cxml_document *document = reading->document;
  // As many as nodes: the limit is one of memory.
  if (!grow(reading, (void **)&document->attributes, &reading->attribute_room, document->attribute_count + 1,
            reading->limits.nodes, sizeof(cxml_attribute)))
    return false;
  cxml_attribute attribute;
  if (!put_name(reading, name, &attribute.name) || !put_name(reading, space, &attribute.space) ||
      !put(reading, value, count, &attribute.value))
    return false;
  document->attributes[document->attribute_count++] = attribute;
  document->nodes[document->node_count - 1].attribute_count++;
  return true;
}

static bool begin(struct reading *reading, const xmlChar *name, const xmlChar *space) {
  reading->is_in_text = false;
  if (!goes_on(reading)) return false;
  if (reading->depth >= reading->limits.depth) {
    stop(reading, CXML_TOO_DEEP);
    return false;
  }
  cxml_span name_span, space_span;
  if (!put_name(reading, name, &name_span) || !put_name(reading, space, &space_span)) return false;
  cxml_node *node = add_node(reading);
  if (!node) return false;
  node->is_element = true;
  node->name = name_span;
  node->space = space_span;
  reading->open[reading->depth++] = reading->document->node_count - 1;
  return true;
}

static void end(struct reading *reading) {
  reading->is_in_text = false;
  if (reading->document->end != CXML_WHOLE || reading->depth == 0) return;
  reading->document->nodes[reading->open[--reading->depth]].end = reading->document->node_count;
}

// Where entities are not replaced, libxml2 hands an ampersand in a value on as `&#38;`, for its tree to decode.
static void decode_ampersands(cxml_document *document, cxml_span *span) {
  static const char mark[] = "&#38;";
  const size_t length = sizeof mark - 1;
  char *bytes = document->bytes + span->offset;
  uint32_t size = 0;
  for (uint32_t place = 0; place < span->count; size++) {
    bytes[size] = bytes[place];
    place += span->count - place >= length && memcmp(bytes + place, mark, length) == 0 ? (uint32_t)length : 1;
  }
  // Nothing follows the value yet.
  document->byte_count -= span->count - size;
  span->count = size;
}

static void on_start_xml(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                         int space_count, const xmlChar **spaces, int count, int defaulted, const xmlChar **attributes) {
  struct reading *reading = context;
  if (!begin(reading, name, space ? space : prefix)) return;
  for (int index = 0; index < count; index++, attributes += 5) {
    const xmlChar *its_space = attributes[2] ? attributes[2] : attributes[1];
    if (!add_attribute(reading, attributes[0], its_space, attributes[3], (size_t)(attributes[4] - attributes[3])))
      return;
    cxml_document *document = reading->document;
    decode_ampersands(document, &document->attributes[document->attribute_count - 1].value);
  }
}

static void on_end_xml(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) { end(context); }

static void on_start_html(void *context, const xmlChar *name, const xmlChar **attributes) {
  struct reading *reading = context;
  if (!begin(reading, name, NULL) || !attributes) return;
  for (; attributes[0]; attributes += 2) {
    const xmlChar *value = attributes[1] ? attributes[1] : (const xmlChar *)"";
    if (!add_attribute(reading, attributes[0], NULL, value, strlen((const char *)value))) return;
  }
}

static void on_end_html(void *context, const xmlChar *name) { end(context); }

static void on_text(void *context, const xmlChar *text, int count) {
  struct reading *reading = context;
  if (count <= 0 || !goes_on(reading)) return;
  cxml_document *document = reading->document;
  cxml_span span;
  if (!put(reading, text, (size_t)count, &span)) return;
  // Text comes in pieces; those that follow each other are one node.
  if (reading->is_in_text) {
    document->nodes[document->node_count - 1].text.count += span.count;
    return;
  }
  cxml_node *node = add_node(reading);
  if (!node) return;
  node->text = span;
  reading->is_in_text = true;
}

static void on_error(void *context, xmlErrorPtr error) {}

static cxml_document *read_with(xmlParserCtxtPtr parser, bool is_html, const char *bytes, size_t count,
                                cxml_limits limits, cxml_is_cancelled is_cancelled, void *context) {
  struct reading *reading = calloc(1, sizeof *reading);
  cxml_document *document = calloc(1, sizeof *document);
  uint32_t *open = calloc(limits.depth ? limits.depth : 1, sizeof *open);
  if (!parser || !reading || !document || !open || count > INT32_MAX) {
    free(reading);
    free(document);
    free(open);
    return NULL;
  }
  *reading = (struct reading){
      .parser = parser, .document = document, .limits = limits, .open = open, .is_cancelled = is_cancelled,
      .context = context};
  xmlSAXHandler events = {
      .initialized = XML_SAX2_MAGIC,
      .characters = on_text,
      .cdataBlock = on_text,
      .ignorableWhitespace = on_text,
      .serror = on_error,
  };
  if (is_html) {
    events.startElement = on_start_html;
    events.endElement = on_end_html;
  } else {
    events.startElementNs = on_start_xml;
    events.endElementNs = on_end_xml;
  }
  *parser->sax = events;
  parser->userData = reading;
  // No XML_PARSE_NOENT, no XML_PARSE_DTDLOAD, no XML_PARSE_HUGE: what is not asked for is not done.
  xmlDocPtr tree =
      is_html ? cxml_library.htmlCtxtReadMemory(parser, bytes, (int)count, NULL, "UTF-8",
                                                HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR |
                                                    HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC)
              : cxml_library.xmlCtxtReadMemory(parser, bytes, (int)count, NULL, "UTF-8",
                                               XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOERROR |
                                                   XML_PARSE_NOWARNING);
  if (tree) cxml_library.xmlFreeDoc(tree);
  // What is still open ends with the document.
  while (reading->depth > 0) document->nodes[open[--reading->depth]].end = document->node_count;
  free(open);
  free(reading);
  return document;
}

cxml_document *cxml_read_xml(const char *bytes, size_t count, cxml_limits limits, cxml_is_cancelled is_cancelled,
                             void *context) {
  xmlParserCtxtPtr parser = cxml_library.xmlNewParserCtxt();
  cxml_document *document = read_with(parser, false, bytes, count, limits, is_cancelled, context);
  if (parser) cxml_library.xmlFreeParserCtxt(parser);
  return document;
}

cxml_document *cxml_read_html(const char *bytes, size_t count, cxml_limits limits, cxml_is_cancelled is_cancelled,
                              void *context) {
  htmlParserCtxtPtr parser = cxml_library.htmlNewParserCtxt();
  cxml_document *document = read_with(parser, true, bytes, count, limits, is_cancelled, context);
  if (parser) cxml_library.htmlFreeParserCtxt(parser);
  return document;
}

void cxml_free(cxml_document *document) {
  if (!document) return;
  free(document->nodes);
  free(document->attributes);
  free(document->bytes);
  free(document);
}
