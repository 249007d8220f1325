/* SPDX-License-Identifier: MIT */
/* tb/capture/no_threads.c - preloaded: the program gets no threads, as where its user has the most allowed.
 */
#include <errno.h>
#include <pthread.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
}
