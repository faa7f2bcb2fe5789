#pragma once

// With -D PEGEN_PLAIN=ON, every source of the program is compiled after this header, which takes
// away what Linux and glibc have beyond POSIX: a source that uses it does not compile. The headers
// come first, since they declare it.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#undef AT_EMPTY_PATH
#undef MAP_POPULATE
#undef O_PATH
#undef O_TMPFILE
#undef POLLRDHUP
#undef RENAME_EXCHANGE
#undef RENAME_NOREPLACE
#undef SOCK_CLOEXEC
#undef SOCK_NONBLOCK
#undef STATX_ATTR_APPEND
#pragma GCC poison AT_EMPTY_PATH MAP_POPULATE O_PATH O_TMPFILE POLLRDHUP RENAME_EXCHANGE \
    RENAME_NOREPLACE
#pragma GCC poison SOCK_CLOEXEC SOCK_NONBLOCK STATX_ATTR_APPEND
#pragma GCC poison accept4 epoll_create1 eventfd fallocate getauxval gettid mallopt malloc_trim \
    memfd_create mremap
#pragma GCC poison pipe2 ppoll pthread_getattr_np renameat2 sched_getaffinity signalfd statx \
    sync_file_range
#pragma GCC poison syncfs timerfd_create
