// libcurl as Swift can call it.
//
// Two reasons for this target. Swift does not import variadic C functions, and libcurl sets and reads every option
// through one. And libcurl brings 33 shared libraries, which cost a process 2.7 ms and 6 to 8 MB at its start whether
// it makes a request or not; the daemon has 10 ms to start. So nothing here links libcurl: its functions are found by
// dlopen when the first request is made, and only its header is needed to build. A C target rather than a module map
// with inline functions, because a table of functions must exist once, not once in every object file that includes it.
//
// Every function but ccurl_load may be called only after ccurl_load has returned NULL.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// Loads and initialises libcurl, once per process. Returns NULL when it can be used, else a sentence that says why
/// not, which lives as long as the process. Safe to call from any thread at any time.
const char *ccurl_load(void);

// Transfers. Of the "set" functions each takes exactly the C type that libcurl reads for the option.
CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);
CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);

/// Appends a copy of text; NULL when there is no memory, and then the list is as it was.
struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *text);
void ccurl_list_free(struct curl_slist *list);

/// What a transfer calls back, always on the thread that runs ccurl_multi_perform. The context comes back as the first
/// argument of each.
struct ccurl_callbacks {
  void *context;
  /// One header line with its end, also those of 1xx answers and trailers. Return false to stop the transfer.
  bool (*header)(void *context, const char *bytes, size_t count);
  /// Some of the body. Return false to stop the transfer.
  bool (*body)(void *context, const char *bytes, size_t count);
  /// May a socket be opened to this address? If not, libcurl tries the next one of the host.
  bool (*may_open)(void *context, const struct sockaddr *address);
  /// May the request be sent over this connection, new or reused? The address is in text form.
  bool (*may_send)(void *context, const char *address);
};
/// The struct is not copied: it must outlive the transfer and stay where it is.
CURLcode ccurl_set_callbacks(CURL *easy, struct ccurl_callbacks *callbacks);

// The multi handle. Of these only ccurl_multi_wakeup may be called from another thread than the one that polls.
CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi);
CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
/// The next transfer that has ended and its result, or NULL.
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);

/// The absolute form of a reference found at base, to be freed with ccurl_free; NULL if it has none.
char *ccurl_resolve(const char *base, const char *reference);
void ccurl_free(void *memory);

// gzip. By zlib, which libcurl brings along; found by dlopen as that is, and safe to call without ccurl_load.
//
// libcurl's own decoder is not used: it takes half a body for a whole one, and its limits count what comes in.

/// Whether there is a zlib. Without one, answers are asked for as they are.
bool ccurl_can_inflate(void);

struct ccurl_inflater;
/// NULL when there is no zlib or no memory.
struct ccurl_inflater *ccurl_inflater_open(void);
void ccurl_inflater_close(struct ccurl_inflater *inflater);
/// Whether the bytes so far end with a whole gzip stream, check sum and length included.
bool ccurl_inflater_is_at_end(const struct ccurl_inflater *inflater);

/// Gives it the next of the input, less than 4 GiB, which must stay where it is until it is hungry again.
void ccurl_inflate_feed(struct ccurl_inflater *inflater, const void *bytes, size_t count);

enum ccurl_inflate_result { CCURL_INFLATE_PIECE, CCURL_INFLATE_HUNGRY, CCURL_INFLATE_BROKEN };
/// The next piece of what the input holds, at most 64 KiB, valid until the next call. HUNGRY when all of it was given;
/// after BROKEN the inflater can only be closed.
enum ccurl_inflate_result ccurl_inflate(struct ccurl_inflater *inflater, const void **piece, size_t *count);

#endif
