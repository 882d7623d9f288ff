#pragma once

#include <stdbool.h>
#include <stddef.h>

/* SHA-256 by OpenSSL's libcrypto, which is loaded when it is first used: most commands hash nothing, and it would make
 * each of them start half a millisecond later. */

typedef struct evp_md_ctx_st cp_sha256;

/* Why the library cannot be used; NULL where it can. */
const char *cp_crypto_load(void);

/* All others need a `cp_crypto_load` before them that returned NULL. NULL without memory. */
cp_sha256 *cp_sha256_begin(void);
bool cp_sha256_add(cp_sha256 *hash, const void *bytes, size_t count);
/* Writes 32 bytes. */
bool cp_sha256_end(cp_sha256 *hash, unsigned char *digest);
void cp_sha256_free(cp_sha256 *hash);
