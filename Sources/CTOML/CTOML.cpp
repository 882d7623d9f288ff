#include "CTOML.h"

#include <cstdio>
#include <string_view>

// The result is looked at, and nothing is written. Version 3.3 asserts of `a = [}` what is not so: neither does a mistake in
// a configuration abort the program, nor may the compiler take it for impossible.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace {

struct Visit {
  void *context;
  ctoml_visitor visitor;

  void node(const toml::node &node, ctoml_value value) const {
    if (const auto *table = node.as_table()) {
      value.kind = CTOML_TABLE;
      visitor(context, &value);
      for (auto &&[key, member] : *table) {
        ctoml_value begun{};
        begun.line = key.source().begin.line;
        begun.key = key.str().data();
        begun.key_length = key.str().size();
        this->node(member, begun);
      }
      end();
    } else if (const auto *list = node.as_array()) {
      value.kind = CTOML_LIST;
      visitor(context, &value);
      for (auto &&element : *list) {
        ctoml_value begun{};
        begun.line = element.source().begin.line;
        this->node(element, begun);
      }
      end();
    } else {
      plain(node, value);
    }
  }

private:
  void plain(const toml::node &node, ctoml_value value) const {
    value.kind = CTOML_OTHER;
    if (const auto *text = node.as_string()) {
      value.kind = CTOML_TEXT;
      value.text = text->get().data();
      value.text_length = text->get().size();
    } else if (const auto *integer = node.as_integer()) {
      value.kind = CTOML_INTEGER;
      value.integer = integer->get();
    } else if (const auto *boolean = node.as_boolean()) {
      value.kind = CTOML_BOOLEAN;
      value.boolean = boolean->get();
    }
    visitor(context, &value);
  }

  void end() const {
    ctoml_value value{};
    value.kind = CTOML_END;
    visitor(context, &value);
  }
};

} // namespace

bool ctoml_parse(const char *text, size_t length, void *context, ctoml_visitor visit, ctoml_failure *failure) {
  const toml::parse_result result = toml::parse(std::string_view(text, length));
  if (!result) {
    const std::string_view reason = result.error().description();
    failure->line = result.error().source().begin.line;
    snprintf(failure->reason, sizeof failure->reason, "%.*s", static_cast<int>(reason.size()), reason.data());
    return false;
  }
  Visit{context, visit}.node(result.table(), ctoml_value{});
  return true;
}
