/*
 * Preloaded into the executable by scripts/rehearse-sync.ts: as long as the file named by FAIL_WHILE exists, syncing the
 * write-ahead log fails with EIO, as it does once after a disk has lost what it was given.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd) {
  const char *file = getenv("FAIL_WHILE");
  if (!file || access(file, F_OK) != 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "-wal") != NULL;
}

int fsync(int fd) {
  if (fails(fd)) return errno = EIO, -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  if (fails(fd)) return errno = EIO, -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
