// libarchive, loaded when the first zip is read: a daemon that reads none pays for none of its libraries.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct archive;
struct archive_entry;

/// Loads libarchive, once. NULL, or why it cannot be used.
const char *carchive_load(void);

/// A reader of zips whose directory is at their end, and of nothing else; NULL where there is no memory.
struct archive *carchive_new(void);
void carchive_free(struct archive *archive);

/// Both are 0 or more when they have succeeded. What is given must stay until the reader is freed.
int carchive_open_descriptor(struct archive *archive, int descriptor);
int carchive_open_memory(struct archive *archive, const void *bytes, size_t count);

/// 1 for an entry, 0 after the last, negative for a failure.
int carchive_next(struct archive *archive, struct archive_entry **entry);
/// How many bytes of the entry were read, 0 at its end, negative for a failure.
ssize_t carchive_read(struct archive *archive, void *buffer, size_t count);
const char *carchive_failure(struct archive *archive);

/// In UTF-8; NULL where the archive's name is in an encoding that nobody knows.
const char *carchive_name(struct archive_entry *entry);
bool carchive_is_encrypted(struct archive_entry *entry);
bool carchive_is_folder(struct archive_entry *entry);
/// A file, and no link or device.
bool carchive_is_file(struct archive_entry *entry);

/// Raw deflate (RFC 1951), by zlib, which is loaded when it is first used. NULL, or why it cannot be.
const char *carchive_load_deflate(void);
/// The most bytes that so many become.
size_t carchive_deflate_bound(size_t count);
/// How many bytes were written; negative where they are more than `room`, and without memory. Both take less than 4 GiB.
ssize_t carchive_deflate(const void *bytes, size_t count, void *result, size_t room);
/// The same for a part of a stream that goes on: the next part, or the end, may follow byte for byte.
ssize_t carchive_deflate_part(const void *bytes, size_t count, void *result, size_t room);
/// The same; negative, too, where the bytes are not one whole stream and nothing else.
ssize_t carchive_inflate(const void *bytes, size_t count, void *result, size_t room);
/// CRC-32 of more bytes after those with this sum; 0 before the first. Needs `carchive_load_deflate`.
uint32_t carchive_crc32(uint32_t sum, const void *bytes, size_t count);
