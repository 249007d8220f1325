/* SPDX-License-Identifier: MIT */
/* Precedes the kernels of every program: the element type, and how a loop accumulates a sum that belongs in a
 * global element. A compiler cannot drop the store (the pointers may alias) but does drop the
 * load, hence the default "opt". The host defines REAL and ACC_NAIVE, ACC_OPT or ACC_REG.
 *     ACC_LOAD(sum, place)      before the loop
 *     ACC_ADD(sum, place, term) in the loop
 *     ACC_STORE(sum, place)     after the loop
 *     ACC_VALUE(sum, place)     the sum, where the kernel uses it later */
#ifdef REAL_IS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
/* The host's reference rounds the product and the sum separately. */
#pragma OPENCL FP_CONTRACT OFF

#if defined(ACC_NAIVE)
#define ACC_LOAD(sum, place)
#define ACC_ADD(sum, place, term) (place) += (term)
#define ACC_STORE(sum, place)
#define ACC_VALUE(sum, place) (place)
#elif defined(ACC_OPT)
#define ACC_LOAD(sum, place) REAL sum = (place)
#define ACC_ADD(sum, place, term) (place) = (sum += (term))
#define ACC_STORE(sum, place)
#define ACC_VALUE(sum, place) sum
#elif defined(ACC_REG)
#define ACC_LOAD(sum, place) REAL sum = (place)
#define ACC_ADD(sum, place, term) sum += (term)
#define ACC_STORE(sum, place) (place) = sum
#define ACC_VALUE(sum, place) sum
#endif
