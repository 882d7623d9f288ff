#include "CCrypto.h"

#include "CLoad.h"

#include <openssl/evp.h>
#include <pthread.h>

#define FUNCTIONS(each)                                                                                                \
  each(DigestFinal_ex) each(DigestInit_ex) each(DigestUpdate) each(MD_CTX_free) each(MD_CTX_new) each(sha256)

#define SYMBOL(name) EVP_##name
static struct {
  FUNCTIONS(CLOAD_MEMBER)
} evp;

static char load_failure[CLOAD_FAILURE];

static void load_once(void) { CLOAD("libcrypto.so.3", FUNCTIONS, &evp, load_failure); }

const char *cp_crypto_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return load_failure[0] ? load_failure : NULL;
}

cp_sha256 *cp_sha256_begin(void) {
  EVP_MD_CTX *context = evp.MD_CTX_new();
  if (context && evp.DigestInit_ex(context, evp.sha256(), NULL) != 1) {
    evp.MD_CTX_free(context);
    return NULL;
  }
  return context;
}

bool cp_sha256_add(cp_sha256 *hash, const void *bytes, size_t count) {
  return evp.DigestUpdate(hash, bytes, count) == 1;
}

bool cp_sha256_end(cp_sha256 *hash, unsigned char *digest) { return evp.DigestFinal_ex(hash, digest, NULL) == 1; }

void cp_sha256_free(cp_sha256 *hash) { evp.MD_CTX_free(hash); }
