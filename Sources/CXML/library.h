// The functions of libxml2 that are used, once: a pointer of the declared type for each, filled by its name.

#pragma once

#include "CXML.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#define CXML_FUNCTIONS(each)                                                                                          \
  each(htmlCtxtReadMemory) each(htmlEntityLookup) each(htmlFreeParserCtxt) each(htmlNewParserCtxt)                     \
  each(xmlCtxtReadMemory) each(xmlFreeDoc) each(xmlFreeParserCtxt) each(xmlInitParser) each(xmlNewParserCtxt)          \
  each(xmlStopParser)

struct cxml_library {
#define DECLARE(name) __typeof__(&name) name;
  CXML_FUNCTIONS(DECLARE)
#undef DECLARE
};

extern struct cxml_library cxml_library;
