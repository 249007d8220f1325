/* SPDX-License-Identifier: MIT */
/* workloads/graph/assert_fail.c - ends programs without a handler of their own when a contract of kernels/ is
 * broken. */
#include "kernels/base.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void ww_assert_fail(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken contract: %s\n", file, line, expr);
    abort();
}
