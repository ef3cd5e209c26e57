/*
 * A disk that writes down what is done to it: one file in a file system of its own (FUSE), to be used as a block device over
 * loop. Every write and every flush goes into the log that recorder.c writes too, in the order in which they were done.
 *
 *   logged-disk MOUNTPOINT IMAGE LOG
 *
 * IMAGE is what the disk holds. It says "serving" once it is mounted, and ends when it is unmounted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 2, SYNC = 4 };
enum { ROOT = 1, DISK = 2, MOST_WRITTEN = 1 << 20 };
static const char name[] = "disk";

/* The form of a record stands in write-log.ts. */
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

static int device, image, log_fd;
static uint64_t size;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void note(int kind, int64_t offset, const void *data, size_t octets) {
  struct head head = {0};
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  head.length = (uint32_t)(sizeof head + sizeof name - 1 + octets);
  head.kind = (uint8_t)kind;
  head.name_length = sizeof name - 1;
  head.pid = (uint32_t)getpid();
  head.inode = DISK;
  head.at_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  head.offset = offset;
  struct iovec all[] = {{&head, sizeof head}, {(void *)name, sizeof name - 1}, {(void *)data, octets}};
  if (writev(log_fd, all, 3) != (ssize_t)head.length) fail("the log");
}

static void answer(const struct fuse_in_header *asked, int error, const void *data, size_t octets) {
  struct fuse_out_header head = {(uint32_t)(sizeof head + octets), error, asked->unique};
  struct iovec all[] = {{&head, sizeof head}, {(void *)data, octets}};
  if (writev(device, all, octets ? 2 : 1) < 0 && errno != ENOENT) fail("an answer");
}

static struct fuse_attr attributes(uint64_t node) {
  struct fuse_attr it = {0};
  it.ino = node;
  it.mode = node == ROOT ? S_IFDIR | 0700 : S_IFREG | 0600;
  it.nlink = 1;
  it.size = node == ROOT ? 0 : size;
  it.blocks = it.size / 512;
  it.blksize = 4096;
  return it;
}

static void look_up(const struct fuse_in_header *asked, const char *wanted) {
  struct fuse_entry_out out = {0};
  if (strcmp(wanted, name) != 0) return answer(asked, -ENOENT, NULL, 0);
  out.nodeid = DISK;
  out.attr_valid = out.entry_valid = 3600;
  out.attr = attributes(DISK);
  answer(asked, 0, &out, sizeof out);
}

static void read_disk(const struct fuse_in_header *asked, const struct fuse_read_in *in) {
  static char data[MOST_WRITTEN];
  ssize_t octets = pread(image, data, in->size < sizeof data ? in->size : sizeof data, (off_t)in->offset);
  if (octets < 0) return answer(asked, -errno, NULL, 0);
  answer(asked, 0, data, (size_t)octets);
}

static void write_disk(const struct fuse_in_header *asked, const struct fuse_write_in *in) {
  struct fuse_write_out out = {in->size, 0};
  if (in->offset + in->size > size) return answer(asked, -ENOSPC, NULL, 0);
  if (pwrite(image, in + 1, in->size, (off_t)in->offset) != (ssize_t)in->size) return answer(asked, -EIO, NULL, 0);
  note(WRITE, (int64_t)in->offset, in + 1, in->size);
  answer(asked, 0, &out, sizeof out);
}

static void begin(const struct fuse_in_header *asked, const struct fuse_init_in *in) {
  struct fuse_init_out out = {0};
  out.major = FUSE_KERNEL_VERSION;
  out.minor = FUSE_KERNEL_MINOR_VERSION;
  out.max_readahead = in->max_readahead;
  out.flags = FUSE_BIG_WRITES | FUSE_MAX_PAGES;
  out.max_pages = 64;
  out.max_write = 64 * 4096;
  out.max_background = 64;
  out.congestion_threshold = 48;
  out.time_gran = 1;
  answer(asked, 0, &out, sizeof out);
}

static void serve(const struct fuse_in_header *asked) {
  const void *body = asked + 1;
  struct fuse_open_out opened = {0};
  struct fuse_attr_out attribute = {.attr_valid = 3600, .attr = attributes(asked->nodeid)};
  struct fuse_statfs_out space = {.st = {.blocks = size / 4096, .bsize = 4096, .frsize = 4096, .namelen = 255}};
  switch (asked->opcode) {
    case FUSE_INIT: return begin(asked, body);
    case FUSE_LOOKUP: return look_up(asked, body);
    case FUSE_GETATTR:
    case FUSE_SETATTR: return answer(asked, 0, &attribute, sizeof attribute);
    case FUSE_OPEN:
    case FUSE_OPENDIR: return answer(asked, 0, &opened, sizeof opened);
    case FUSE_READ: return read_disk(asked, body);
    case FUSE_WRITE: return write_disk(asked, body);
    case FUSE_FSYNC:
      note(SYNC, 0, NULL, 0);
      return answer(asked, 0, NULL, 0);
    case FUSE_STATFS: return answer(asked, 0, &space, sizeof space);
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_READDIR: return answer(asked, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: return;
    case FUSE_DESTROY: answer(asked, 0, NULL, 0); exit(0);
    default: return answer(asked, -ENOSYS, NULL, 0);
  }
}

int main(int count, char **words) {
  static char request[MOST_WRITTEN + 65536] __attribute__((aligned(4096)));
  char options[64];
  struct stat it;
  if (count != 4) return 2;
  image = open(words[2], O_RDWR | O_CLOEXEC);
  log_fd = open(words[3], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (image < 0 || log_fd < 0 || device < 0 || fstat(image, &it) != 0) fail("opening");
  size = (uint64_t)it.st_size;
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
  if (mount("logged-disk", words[1], "fuse", MS_NOSUID | MS_NODEV, options) != 0) fail("mount");
  puts("serving");
  fflush(stdout);
  for (;;) {
    ssize_t octets = read(device, request, sizeof request);
    if (octets >= (ssize_t)sizeof(struct fuse_in_header)) serve((const struct fuse_in_header *)request);
    else if (octets < 0 && errno == ENODEV) return 0;
    else if (octets < 0 && errno != EINTR && errno != ENOENT && errno != EAGAIN) fail("/dev/fuse");
  }
}
