#include "CCurl.h"

#include "CLoad.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// The type-checking macros of curl.h would stand in the way of taking these names apart.
#undef curl_easy_setopt
#undef curl_multi_setopt

#define FUNCTIONS(each)                                                                                               \
  each(easy_cleanup) each(easy_init) each(easy_setopt) each(easy_strerror) each(free) each(global_init)                \
  each(multi_add_handle) each(multi_cleanup) each(multi_info_read) each(multi_init) each(multi_perform)                \
  each(multi_poll) each(multi_remove_handle) each(multi_setopt) each(multi_wakeup) each(slist_append)                  \
  each(slist_free_all) each(url) each(url_cleanup) each(url_get) each(url_set) each(version_info)

#define SYMBOL(name) curl_##name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} curl;

static char load_failure[CLOAD_FAILURE];

static void load_once(void) {
  if (!CLOAD("libcurl.so.4", FUNCTIONS, &curl, load_failure)) return;
  CURLcode code = curl.global_init(CURL_GLOBAL_ALL);
  if (code != CURLE_OK) {
    snprintf(load_failure, sizeof load_failure, "libcurl: %s", curl.easy_strerror(code));
    return;
  }
  const curl_version_info_data *info = curl.version_info(CURLVERSION_NOW);
  // 7.85 brought PROTOCOLS_STR, 7.87 QUICK_EXIT. Without a resolver of its own threads a name look-up would stop all
  // other transfers.
  if (info->version_num < 0x075700)
    snprintf(load_failure, sizeof load_failure, "libcurl %s < 7.87", info->version);
  else if (!(info->features & CURL_VERSION_SSL))
    snprintf(load_failure, sizeof load_failure, "libcurl %s: TLS", info->version);
  else if (!(info->features & CURL_VERSION_ASYNCHDNS))
    snprintf(load_failure, sizeof load_failure, "libcurl %s: AsynchDNS", info->version);
}

const char *ccurl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

// Transfers

CURL *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl.easy_setopt(easy, option, value); }

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl.easy_setopt(easy, option, list);
}

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *text) {
  return curl.slist_append(list, text);
}

void ccurl_list_free(struct curl_slist *list) { curl.slist_free_all(list); }

static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
  const struct ccurl_callbacks *callbacks = user;
  // Any other count than the one received ends the transfer with CURLE_WRITE_ERROR.
  return callbacks->header(callbacks->context, bytes, size * count) ? size * count : CURL_WRITEFUNC_ERROR;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
  const struct ccurl_callbacks *callbacks = user;
  return callbacks->body(callbacks->context, bytes, size * count) ? size * count : CURL_WRITEFUNC_ERROR;
}

static curl_socket_t on_open(void *user, curlsocktype purpose, struct curl_sockaddr *address) {
  const struct ccurl_callbacks *callbacks = user;
  if (purpose != CURLSOCKTYPE_IPCXN || !callbacks->may_open(callbacks->context, &address->addr)) return CURL_SOCKET_BAD;
  // No child process inherits a connection.
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int on_send(void *user, char *remote, char *local, int remote_port, int local_port) {
  (void)local, (void)remote_port, (void)local_port;
  const struct ccurl_callbacks *callbacks = user;
  return callbacks->may_send(callbacks->context, remote) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

CURLcode ccurl_set_callbacks(CURL *easy, struct ccurl_callbacks *callbacks) {
  CURLcode code;
  if ((code = curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_HEADERDATA, callbacks)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_WRITEDATA, callbacks)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, callbacks)) != CURLE_OK) return code;
  if ((code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_send)) != CURLE_OK) return code;
  return curl.easy_setopt(easy, CURLOPT_PREREQDATA, callbacks);
}

// The multi handle

CURLM *ccurl_multi_init(void) { return curl.multi_init(); }

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }

CURLMcode ccurl_multi_perform(CURLM *multi) {
  int running;
  return curl.multi_perform(multi, &running);
}

CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_milliseconds) {
  return curl.multi_poll(multi, NULL, 0, timeout_milliseconds, NULL);
}

CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }

CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = curl.multi_info_read(multi, &left)))
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return NULL;
}

// URLs

char *ccurl_resolve(const char *base, const char *reference) {
  CURLU *url = curl.url();
  if (!url) return NULL;
  char *absolute = NULL;
  if (curl.url_set(url, CURLUPART_URL, base, 0) != CURLUE_OK ||
      curl.url_set(url, CURLUPART_URL, reference, CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE) != CURLUE_OK ||
      curl.url_get(url, CURLUPART_URL, &absolute, 0) != CURLUE_OK)
    absolute = NULL;
  curl.url_cleanup(url);
  return absolute;
}

void ccurl_free(void *memory) { curl.free(memory); }
