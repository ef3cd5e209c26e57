/*
 * Preloaded into the executable by `bun run power-cut`: writes down, in order, what the process does to the files of one
 * directory (RECORDED_DIRECTORY) and what it sends over sockets, into one log (RECORDED_LOG) that whoever watches may
 * add to. An operation and its record are one step under a lock, so that the order of the log is the order of the facts.
 * The form of a record stands in write-log.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, LINK, MKDIR, SEND, RECEIVE, ODD };

struct __attribute__((packed)) head {
  uint32_t length;
  uint8_t kind;
  uint8_t is_directory;
  uint16_t name_length;
  uint16_t other_length;
  uint16_t fd;
  uint32_t pid;
  uint64_t inode;
  uint64_t at_ns;
  int64_t offset;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int log_fd = -1;
static char directory[PATH_MAX];
static size_t directory_length;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *log = getenv("RECORDED_LOG"), *where = getenv("RECORDED_DIRECTORY");
  if (!log || !where) return;
  snprintf(directory, sizeof directory, "%s", where);
  directory_length = strlen(directory);
  log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  /* Out of the way of numbers that programs count on. */
  if (log_fd >= 0) {
    int high = fcntl(log_fd, F_DUPFD_CLOEXEC, 900);
    if (high >= 0) syscall(SYS_close, log_fd), log_fd = high;
  }
}

/* The path below the directory, "" for itself; NULL when it is elsewhere. */
static const char *below(const char *path) {
  if (log_fd < 0 || !path || strncmp(path, directory, directory_length) != 0) return NULL;
  if (path[directory_length] == 0) return "";
  return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

static const char *below_fd(int fd, char *path) {
  char link[64];
  if (log_fd < 0 || fd == log_fd) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = (ssize_t)syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return below(path);
}

/* AF_INET, AF_UNIX or whatever it is; 0 for what is no socket. */
static int domain_of(int fd) {
  int domain = 0, kept = errno;
  socklen_t length = sizeof domain;
  if (log_fd < 0 || getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) domain = 0;
  errno = kept;
  return domain;
}

static void note(int kind, int fd, const char *name, const char *other, int64_t offset, const struct iovec *data,
                 int pieces, size_t octets) {
  struct timespec now;
  struct stat it = {0};
  struct head head = {0};
  struct iovec all[64];
  int kept = errno, used = 3;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (fd >= 0) fstat(fd, &it);
  head.kind = (uint8_t)kind;
  head.is_directory = S_ISDIR(it.st_mode);
  head.name_length = (uint16_t)strlen(name);
  head.other_length = (uint16_t)strlen(other);
  head.fd = (uint16_t)fd;
  head.pid = (uint32_t)getpid();
  head.inode = it.st_ino;
  head.at_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  head.offset = offset;
  all[0] = (struct iovec){&head, sizeof head};
  all[1] = (struct iovec){(void *)name, head.name_length};
  all[2] = (struct iovec){(void *)other, head.other_length};
  size_t left = octets;
  for (int piece = 0; piece < pieces && left > 0 && used < 64; piece++) {
    size_t taken = data[piece].iov_len < left ? data[piece].iov_len : left;
    all[used++] = (struct iovec){data[piece].iov_base, taken};
    left -= taken;
  }
  head.length = (uint32_t)(sizeof head + head.name_length + head.other_length + (octets - left));
  if (syscall(SYS_writev, log_fd, all, used) != (long)head.length || left > 0) {
    static const char words[] = "recorder: a record could not be written whole\n";
    syscall(SYS_write, 2, words, sizeof words - 1);
    abort();
  }
  errno = kept;
}

static ssize_t wrote(int fd, int64_t offset, const struct iovec *data, int pieces, ssize_t octets) {
  char path[PATH_MAX];
  if (octets <= 0 || log_fd < 0) return octets;
  int domain = domain_of(fd);
  if (domain != 0) {
    note(SEND, fd, "", "", domain, data, pieces, (size_t)octets);
    return octets;
  }
  const char *name = below_fd(fd, path);
  if (!name) return octets;
  if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - octets;
  note(WRITE, fd, name, "", offset, data, pieces, (size_t)octets);
  return octets;
}

#define LOCKED(type, call)   \
  pthread_mutex_lock(&lock); \
  type result = (call)
#define DONE                   \
  pthread_mutex_unlock(&lock); \
  return result

ssize_t write(int fd, const void *data, size_t octets) {
  struct iovec piece = {(void *)data, octets};
  LOCKED(ssize_t, REAL(write)(fd, data, octets));
  wrote(fd, -1, &piece, 1, result);
  DONE;
}
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  LOCKED(ssize_t, REAL(writev)(fd, pieces, count));
  wrote(fd, -1, pieces, count, result);
  DONE;
}
ssize_t pwrite64(int fd, const void *data, size_t octets, off64_t offset) {
  struct iovec piece = {(void *)data, octets};
  LOCKED(ssize_t, REAL(pwrite64)(fd, data, octets, offset));
  wrote(fd, offset, &piece, 1, result);
  DONE;
}
ssize_t pwrite(int fd, const void *data, size_t octets, off_t offset) { return pwrite64(fd, data, octets, offset); }
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset) {
  LOCKED(ssize_t, REAL(pwritev)(fd, pieces, count, offset));
  wrote(fd, offset, pieces, count, result);
  DONE;
}
ssize_t send(int fd, const void *data, size_t octets, int flags) {
  struct iovec piece = {(void *)data, octets};
  LOCKED(ssize_t, REAL(send)(fd, data, octets, flags));
  wrote(fd, -1, &piece, 1, result);
  DONE;
}
ssize_t sendto(int fd, const void *data, size_t octets, int flags, const struct sockaddr *to, socklen_t length) {
  struct iovec piece = {(void *)data, octets};
  LOCKED(ssize_t, REAL(sendto)(fd, data, octets, flags, to, length));
  wrote(fd, -1, &piece, 1, result);
  DONE;
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  LOCKED(ssize_t, REAL(sendmsg)(fd, message, flags));
  wrote(fd, -1, message->msg_iov, (int)message->msg_iovlen, result);
  DONE;
}

/* Reads may block, so what was read is written down afterwards. */
static ssize_t received(int fd, const void *data, ssize_t octets) {
  struct iovec piece = {(void *)data, octets > 0 ? (size_t)octets : 0};
  int domain = octets > 0 ? domain_of(fd) : 0;
  if (domain == 0) return octets;
  pthread_mutex_lock(&lock);
  note(RECEIVE, fd, "", "", domain, &piece, 1, (size_t)octets);
  pthread_mutex_unlock(&lock);
  return octets;
}
ssize_t read(int fd, void *data, size_t octets) { return received(fd, data, REAL(read)(fd, data, octets)); }
ssize_t recv(int fd, void *data, size_t octets, int flags) {
  ssize_t result = REAL(recv)(fd, data, octets, flags);
  return flags & MSG_PEEK ? result : received(fd, data, result);
}
ssize_t recvfrom(int fd, void *data, size_t octets, int flags, struct sockaddr *from, socklen_t *length) {
  ssize_t result = REAL(recvfrom)(fd, data, octets, flags, from, length);
  return flags & MSG_PEEK ? result : received(fd, data, result);
}

/*
 * The runtime writes small files of its own with system calls that no library sees. What such a file holds is read when it
 * is synced, and counts as written just before.
 */
static void note_small(int fd, const char *name) {
  static char content[65536];
  if (strncmp(name, "bendre.", 7) == 0) return;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int own = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  ssize_t octets = own < 0 ? -1 : (ssize_t)syscall(SYS_pread64, own, content, sizeof content, 0);
  struct iovec piece = {content, octets > 0 ? (size_t)octets : 0};
  if (own >= 0) syscall(SYS_close, own);
  if (octets > 0) note(WRITE, fd, name, "", 0, &piece, 1, (size_t)octets);
}

static int synced(int fd, int result) {
  char path[PATH_MAX];
  const char *name = result == 0 ? below_fd(fd, path) : NULL;
  if (name) note_small(fd, name);
  if (name) note(SYNC, fd, name, "", 0, NULL, 0, 0);
  return result;
}
int fsync(int fd) {
  LOCKED(int, synced(fd, REAL(fsync)(fd)));
  DONE;
}
int fdatasync(int fd) {
  LOCKED(int, synced(fd, REAL(fdatasync)(fd)));
  DONE;
}

static int truncated(int fd, off64_t length, int result) {
  char path[PATH_MAX];
  const char *name = result == 0 ? below_fd(fd, path) : NULL;
  if (name) note(TRUNCATE, fd, name, "", length, NULL, 0, 0);
  return result;
}
int ftruncate(int fd, off_t length) {
  LOCKED(int, truncated(fd, length, REAL(ftruncate)(fd, length)));
  DONE;
}
int ftruncate64(int fd, off64_t length) {
  LOCKED(int, truncated(fd, length, REAL(ftruncate64)(fd, length)));
  DONE;
}

/* What nothing here replays is told, so that nobody takes the log for whole. */
static void odd(int fd, const char *what) {
  char path[PATH_MAX];
  const char *name = below_fd(fd, path);
  if (name) note(ODD, fd, name, what, 0, NULL, 0, 0);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  LOCKED(int, REAL(fallocate)(fd, mode, offset, length));
  if (result == 0) odd(fd, "fallocate");
  DONE;
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
  LOCKED(void *, REAL(mmap64)(at, length, protection, flags, fd, offset));
  if (fd >= 0 && (protection & PROT_WRITE) && (flags & MAP_SHARED)) odd(fd, "mmap");
  DONE;
}
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap64(at, length, protection, flags, fd, offset);
}

static int opened(int at, const char *path, int flags, mode_t mode) {
  const char *name = at == AT_FDCWD ? below(path) : NULL;
  int was_there = !name || !(flags & (O_CREAT | O_TRUNC)) || access(path, F_OK) == 0;
  int fd = (int)syscall(SYS_openat, at, path, flags | O_LARGEFILE, mode);
  if (fd >= 0 && name && !was_there) note(CREATE, fd, name, "", 0, NULL, 0, 0);
  if (fd >= 0 && name && was_there && (flags & O_TRUNC)) note(TRUNCATE, fd, name, "", 0, NULL, 0, 0);
  return fd;
}
#define MODE                          \
  mode_t mode = 0;                    \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest;                     \
    va_start(rest, flags);            \
    mode = va_arg(rest, mode_t);      \
    va_end(rest);                     \
  }
int open(const char *path, int flags, ...) {
  MODE LOCKED(int, opened(AT_FDCWD, path, flags, mode));
  DONE;
}
int open64(const char *path, int flags, ...) {
  MODE LOCKED(int, opened(AT_FDCWD, path, flags, mode));
  DONE;
}
int openat(int at, const char *path, int flags, ...) {
  MODE LOCKED(int, opened(at, path, flags, mode));
  DONE;
}

#define NAMED(kind, from, to)                                               \
  if (result == 0 && (below(from) || below(to)))                            \
    note(kind, -1, below(from) ? below(from) : "", below(to) ? below(to) : "", 0, NULL, 0, 0)
int unlink(const char *path) {
  LOCKED(int, REAL(unlink)(path));
  NAMED(UNLINK, path, NULL);
  DONE;
}
int unlinkat(int at, const char *path, int flags) {
  LOCKED(int, REAL(unlinkat)(at, path, flags));
  NAMED(UNLINK, path, NULL);
  DONE;
}
int rename(const char *from, const char *to) {
  LOCKED(int, REAL(rename)(from, to));
  NAMED(RENAME, from, to);
  DONE;
}
int link(const char *from, const char *to) {
  LOCKED(int, REAL(link)(from, to));
  NAMED(LINK, from, to);
  DONE;
}
int mkdir(const char *path, mode_t mode) {
  LOCKED(int, REAL(mkdir)(path, mode));
  NAMED(MKDIR, path, NULL);
  DONE;
}
