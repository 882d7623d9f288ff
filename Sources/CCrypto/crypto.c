#include "CCrypto.h"

#include "CLoad.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <pthread.h>

#define FUNCTIONS(each)                                                                                                \
  each(chacha20_poly1305) each(CIPHER_CTX_ctrl) each(CIPHER_CTX_free) each(CIPHER_CTX_new) each(CipherFinal_ex)       \
  each(CipherInit_ex) each(CipherUpdate) each(DigestFinal_ex) each(DigestInit_ex) each(DigestUpdate)                   \
  each(KDF_CTX_free) each(KDF_CTX_new) each(KDF_derive) each(KDF_fetch) each(KDF_free) each(MD_CTX_free)               \
  each(MD_CTX_new) each(Q_mac) each(md5) each(sha256)

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

cp_hash *cp_hash_begin(cp_hash_function function) {
  EVP_MD_CTX *context = evp.MD_CTX_new();
  if (context && evp.DigestInit_ex(context, function == CP_MD5 ? evp.md5() : evp.sha256(), NULL) != 1) {
    evp.MD_CTX_free(context);
    return NULL;
  }
  return context;
}

bool cp_hash_add(cp_hash *hash, const void *bytes, size_t count) {
  return evp.DigestUpdate(hash, bytes, count) == 1;
}

bool cp_hash_end(cp_hash *hash, unsigned char *digest) { return evp.DigestFinal_ex(hash, digest, NULL) == 1; }

void cp_hash_free(cp_hash *hash) { evp.MD_CTX_free(hash); }

bool cp_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code) {
  size_t length = 0;
  return evp.Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, key_count, bytes, count, code, 32, &length) != NULL &&
         length == 32;
}

bool cp_hkdf_sha256(const void *secret, size_t secret_count, const void *salt, size_t salt_count, const void *info,
                    size_t info_count, unsigned char *key, size_t count) {
  EVP_KDF *kdf = evp.KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *context = kdf ? evp.KDF_CTX_new(kdf) : NULL;
  // OpenSSL reads the values only, but declares them as writable.
  const OSSL_PARAM params[] = {
      {OSSL_KDF_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, "SHA256", 6, OSSL_PARAM_UNMODIFIED},
      {OSSL_KDF_PARAM_KEY, OSSL_PARAM_OCTET_STRING, (void *)secret, secret_count, OSSL_PARAM_UNMODIFIED},
      {OSSL_KDF_PARAM_SALT, OSSL_PARAM_OCTET_STRING, (void *)salt, salt_count, OSSL_PARAM_UNMODIFIED},
      {OSSL_KDF_PARAM_INFO, OSSL_PARAM_OCTET_STRING, (void *)info, info_count, OSSL_PARAM_UNMODIFIED},
      {NULL, 0, NULL, 0, 0},
  };
  const bool is_derived = context && evp.KDF_derive(context, key, count, params) == 1;
  evp.KDF_CTX_free(context);
  evp.KDF_free(kdf);
  return is_derived;
}

bool cp_chacha20_poly1305(bool seals, const unsigned char *key, const unsigned char *nonce, const void *associated,
                          size_t associated_count, const void *input, size_t count, unsigned char *output,
                          unsigned char *tag) {
  EVP_CIPHER_CTX *context = evp.CIPHER_CTX_new();
  int length = 0;
  const bool is_done =
      context && evp.CipherInit_ex(context, evp.chacha20_poly1305(), NULL, key, nonce, seals) == 1 &&
      evp.CipherUpdate(context, NULL, &length, associated, (int)associated_count) == 1 &&
      // Without bytes the call would mean something else.
      (count == 0 || evp.CipherUpdate(context, output, &length, input, (int)count) == 1) &&
      (seals || evp.CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1) &&
      evp.CipherFinal_ex(context, output + count, &length) == 1 &&
      (!seals || evp.CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
  evp.CIPHER_CTX_free(context);
  return is_done;
}
