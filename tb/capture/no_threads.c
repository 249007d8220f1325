/* SPDX-License-Identifier: MIT */
/* tb/capture/no_threads.c - preloaded: the program gets no threads, as where its user has the most allowed.
 * Marks with files that the program asked for one ($NO_THREADS_MARK), and that it slept ($NO_THREADS_MARK
 * with ".slept"). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void mark(const char *suffix)
{
    char path[4096];
    const char *name = getenv("NO_THREADS_MARK");
    if (name != NULL && snprintf(path, sizeof path, "%s%s", name, suffix) < (int)sizeof path)
        close(open(path, O_CREAT | O_WRONLY, 0644));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    mark("");
    return EAGAIN;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    mark(".slept");
    return clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, NULL);
}
