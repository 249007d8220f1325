/* SPDX-License-Identifier: MIT */
/* Tests replacement as it is compiled for hosts without SSE2. */
#define WW_SCALAR
#include "tb/kernels/lru_test.cpp" /* NOLINT(bugprone-suspicious-include): the same tests */
