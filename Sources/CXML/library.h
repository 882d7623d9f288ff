// The functions of libxml2 that are used.

#pragma once

#include "CXML.h"

#include "CLoad.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#define CXML_FUNCTIONS(each)                                                                                          \
  each(htmlCtxtReadMemory) each(htmlEntityLookup) each(htmlFreeParserCtxt) each(htmlNewParserCtxt)                     \
  each(xmlCtxtReadMemory) each(xmlFreeDoc) each(xmlFreeParserCtxt) each(xmlInitParser) each(xmlNewParserCtxt)          \
  each(xmlStopParser)

#define SYMBOL(name) name
struct cxml_library {
  CXML_FUNCTIONS(CLOAD_MEMBER)
};

extern struct cxml_library cxml_library;
