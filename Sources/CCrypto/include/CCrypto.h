#pragma once

#include <stdbool.h>
#include <stddef.h>

/* SHA-256, MD5, HMAC, HKDF and ChaCha20-Poly1305 by OpenSSL's libcrypto, which is loaded when it is first used: most commands
 * hash nothing, and it would make each of them start half a millisecond later. */

typedef struct evp_md_ctx_st cp_hash;
typedef enum { CP_SHA256, CP_MD5 } cp_hash_function;

/* Why the library cannot be used; NULL where it can. */
const char *cp_crypto_load(void);

/* All others need a `cp_crypto_load` before them that returned NULL. NULL without memory. */
cp_hash *cp_hash_begin(cp_hash_function function);
bool cp_hash_add(cp_hash *hash, const void *bytes, size_t count);
/* Writes 32 bytes of SHA-256, 16 of MD5. */
bool cp_hash_end(cp_hash *hash, unsigned char *digest);
void cp_hash_free(cp_hash *hash);

/* All false without memory. `code` has 32 bytes. */
bool cp_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code);
/* RFC 5869; writes `count` bytes. */
bool cp_hkdf_sha256(const void *secret, size_t secret_count, const void *salt, size_t salt_count, const void *info,
                    size_t info_count, unsigned char *key, size_t count);
/* RFC 8439: key of 32 bytes, nonce of 12, tag of 16, which is written where it seals and compared where it opens; at most
 * 2 GiB. `output` has room for `count` bytes. False, too, where the tag is not that of these bytes: then what was written
 * is not to be used. */
bool cp_chacha20_poly1305(bool seals, const unsigned char *key, const unsigned char *nonce, const void *associated,
                          size_t associated_count, const void *input, size_t count, unsigned char *output,
                          unsigned char *tag);
