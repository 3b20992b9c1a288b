// Preloaded into a program (LD_PRELOAD): records what it does with the files of one folder, in the order in which it happens, and the
// first line of each request that changes something. replay.ts reads the records and says what is not recorded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, LINK, SENT, OPEN_THERE };

static struct record {
  uint32_t type, length;
  uint64_t inode;
  int64_t offset;
  uint64_t begun; // SYNC: the number of records when it began
} __attribute__((packed)) header;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t records;
static int log_file = -1;
static char folder[4096];
static size_t folder_length;
enum { FILES = 65536 };
static uint64_t inodes[FILES]; // by descriptor; 0: not a file of the folder

__attribute__((constructor)) static void begin(void) {
  const char *log = getenv("HEADROOM_RECORD_IN"), *of = getenv("HEADROOM_RECORD_OF");
  if (!log || !of) return;
  snprintf(folder, sizeof folder, "%s/", of);
  folder_length = strlen(folder);
  log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

// The index of a write-ahead log is memory of running programs: SQLite makes it anew when none runs.
static int is_ours(const char *path) {
  size_t length = path ? strlen(path) : 0;
  return log_file >= 0 && length >= folder_length && !strncmp(path, folder, folder_length) &&
         !(length > 4 && !strcmp(path + length - 4, "-shm"));
}
static uint64_t inode_of(int file) { return file >= 0 && file < FILES ? inodes[file] : 0; }

static void note(int type, uint64_t inode, int64_t offset, uint64_t begun, const struct iovec *data, int count) {
  struct iovec parts[count + 1];
  size_t length = 0;
  for (int i = 0; i < count; i++) { parts[i + 1] = data[i]; length += data[i].iov_len; }
  header = (struct record){type, length, inode, offset, begun};
  parts[0] = (struct iovec){&header, sizeof header};
  if (syscall(SYS_writev, log_file, parts, count + 1) != (long)(sizeof header + length)) abort();
  records++;
}
static void note_paths(int type, uint64_t inode, const char *path, const char *other) {
  struct iovec parts[] = {{(void *)path, strlen(path) + 1}, {(void *)other, other ? strlen(other) + 1 : 0}};
  note(type, inode, 0, 0, parts, other ? 2 : 1);
}
#define LOCKED(work) ({ pthread_mutex_lock(&lock); __typeof__(work) result = (work); pthread_mutex_unlock(&lock); result; })

static int opened(int at, const char *path, int flags, mode_t mode) {
  if (!is_ours(path)) return syscall(SYS_openat, at, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat found;
  int there = stat(path, &found) == 0;
  int file = syscall(SYS_openat, at, path, flags, mode);
  if (file >= 0 && file < FILES && fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
    inodes[file] = found.st_ino;
    if (!there) note_paths(CREATE, found.st_ino, path, NULL);
    else note_paths(OPEN_THERE, found.st_ino, path, NULL);
    if (there && flags & O_TRUNC) note(TRUNCATE, found.st_ino, 0, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return file;
}
#define OPEN(name, given, at)                                                  \
  int name given {                                                             \
    va_list rest;                                                              \
    va_start(rest, flags);                                                     \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;    \
    va_end(rest);                                                              \
    return opened(at, path, flags, mode);                                      \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)
int close(int file) {
  if (inode_of(file)) inodes[file] = 0;
  return REAL(close)(file);
}

static void note_written(uint64_t inode, int64_t offset, const struct iovec *data, int count, ssize_t done) {
  struct iovec parts[count];
  int used = 0;
  for (ssize_t left = done; left > 0 && used < count; used++) {
    parts[used] = data[used];
    if ((ssize_t)parts[used].iov_len > left) parts[used].iov_len = left;
    left -= parts[used].iov_len;
  }
  if (done > 0) note(WRITE, inode, offset, 0, parts, used);
}
static void note_sent(const struct iovec *data, int count) {
  if (log_file < 0 || count < 1 || data[0].iov_len < 16) return;
  const char *text = data[0].iov_base;
  if (strncmp(text, "POST ", 5) && strncmp(text, "PATCH ", 6) && strncmp(text, "PUT ", 4)) return;
  const char *end = memchr(text, '\r', data[0].iov_len);
  struct iovec line = {(void *)text, end ? (size_t)(end - text) : data[0].iov_len};
  LOCKED((note(SENT, 0, 0, 0, &line, 1), 0));
}
// `offset` -1: at the position of the file.
static ssize_t written(int file, const struct iovec *data, int count, int64_t offset) {
  uint64_t inode = inode_of(file);
  if (!inode) {
    ssize_t sent = offset < 0 ? syscall(SYS_writev, file, data, count) : syscall(SYS_pwritev, file, data, count, offset, 0);
    if (sent > 0) note_sent(data, count);
    return sent;
  }
  pthread_mutex_lock(&lock);
  int64_t at = offset;
  if (offset < 0) at = fcntl(file, F_GETFL) & O_APPEND ? lseek(file, 0, SEEK_END) : lseek(file, 0, SEEK_CUR);
  ssize_t done = offset < 0 ? syscall(SYS_writev, file, data, count) : syscall(SYS_pwritev, file, data, count, offset, 0);
  note_written(inode, at, data, count, done);
  pthread_mutex_unlock(&lock);
  return done;
}
ssize_t write(int file, const void *data, size_t length) {
  return written(file, &(struct iovec){(void *)data, length}, 1, -1);
}
ssize_t writev(int file, const struct iovec *data, int count) { return written(file, data, count, -1); }
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
  return written(file, &(struct iovec){(void *)data, length}, 1, offset);
}
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  return written(file, &(struct iovec){(void *)data, length}, 1, offset);
}
ssize_t pwritev(int file, const struct iovec *data, int count, off_t offset) { return written(file, data, count, offset); }
ssize_t pwritev64(int file, const struct iovec *data, int count, off64_t offset) { return written(file, data, count, offset); }
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  ssize_t sent = syscall(SYS_sendmsg, socket, message, flags);
  if (sent > 0) note_sent(message->msg_iov, message->msg_iovlen);
  return sent;
}

static int cut(int file, int64_t length) {
  if (!inode_of(file)) return syscall(SYS_ftruncate, file, length);
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_ftruncate, file, length);
  if (result == 0) note(TRUNCATE, inode_of(file), length, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off64_t length) { return cut(file, length); }

static int synced(int file, long call) {
  uint64_t begun = LOCKED(records);
  int result = syscall(call, file);
  if (result == 0 && inode_of(file)) LOCKED((note(SYNC, inode_of(file), 0, begun, NULL, 0), 0));
  return result;
}
int fsync(int file) { return synced(file, SYS_fsync); }
int fdatasync(int file) { return synced(file, SYS_fdatasync); }

// A call on a path, recorded when it worked.
#define ON_PATH(name, given, path, call, type, inode, other)                   \
  int name given {                                                             \
    if (!is_ours(path)) return call;                                           \
    pthread_mutex_lock(&lock);                                                 \
    int result = call;                                                         \
    if (result == 0) note_paths(type, inode, path, other);                     \
    pthread_mutex_unlock(&lock);                                               \
    return result;                                                             \
  }
ON_PATH(unlink, (const char *path), path, REAL(unlink)(path), UNLINK, 0, NULL)
ON_PATH(rmdir, (const char *path), path, REAL(rmdir)(path), UNLINK, 0, NULL)
ON_PATH(mkdir, (const char *path, mode_t mode), path, REAL(mkdir)(path, mode), MKDIR, 0, NULL)
ON_PATH(rename, (const char *path, const char *other), path, REAL(rename)(path, other), RENAME, 0, other)
ON_PATH(link, (const char *path, const char *other), path, REAL(link)(path, other), LINK, 0, other)
