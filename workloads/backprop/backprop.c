/* SPDX-License-Identifier: MIT */
/* workloads/backprop/backprop.c - backprop of Rodinia: one training step of a network of N inputs, 16 hidden
 * units and one output. The device runs the two passes over the weights between input and hidden layer; the
 * host computes the small layer in between, as in the suite. The suite's hidden-to-output buffer, which no
 * kernel touches, is omitted. */
#include "common/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HIDDEN 16
#define PITCH (HIDDEN + 1)
#define LEARNING 0.3f
#define MOMENTUM 0.3f
#define TARGET 0.1f

enum { ARG_SEED, ARG_N, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_SEED] = {.name = "--seed", .text = "of weights and inputs", .value = 7, .min = 0, .max = UINT32_MAX},
    [ARG_N] = {.name = "N", .text = "inputs, a multiple of 16", .value = 4194304, .min = 16, .max = 1u << 27},
};

static const struct ww_preset presets[] = {
    {"demo", "256 work-groups per kernel", "4096"},
    {"hpca14", "reduced, not published; the suite's first", "65536"},
    {"micro18", "Table II, 108.03 MB", "786432"},
    {"default", "the suite's of OpenCL", "4194304"},
    {NULL, NULL, NULL},
};

struct network {
    size_t inputs;
    struct ww_array *input, *weights, *old, *partial, *delta;
    float output_weights[PITCH];
};

static float random_fraction(void)
{
    return (float)rand() / (float)RAND_MAX;
}

/* Draws in the suite's order: the weights of both layers, then the inputs. */
static void fill(struct network *w)
{
    float *const weights = w->weights->data, *const input = w->input->data;
    for (size_t i = 0; i < w->weights->count; i++) {
        weights[i] = random_fraction();
    }
    for (size_t i = 0; i < PITCH; i++) {
        w->output_weights[i] = random_fraction();
    }
    input[0] = 1.0f;
    for (size_t i = 1; i <= w->inputs; i++) {
        input[i] = random_fraction();
    }
}

static float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* Computes the errors of the hidden layer from its partial sums. */
static void middle(const struct network *w, const float *partial)
{
    const float *const weights = w->weights->data;
    float *const delta = w->delta->data;
    float hidden[PITCH] = {1.0f};
    float sum = w->output_weights[0];
    for (size_t j = 1; j < PITCH; j++) {
        float in = weights[j];
        for (size_t k = 0; k < w->inputs / HIDDEN; k++) {
            in += partial[k * HIDDEN + j - 1];
        }
        hidden[j] = squash(in);
        sum += w->output_weights[j] * hidden[j];
    }
    const float output = squash(sum);
    const float output_delta = output * (1.0f - output) * (TARGET - output);
    for (size_t j = 1; j < PITCH; j++) {
        delta[j] = hidden[j] * (1.0f - hidden[j]) * output_delta * w->output_weights[j];
    }
}

/* Computes the partial sums as the first kernel does, but does not overwrite the weights. */
static void forward_on_host(const struct network *w, float *partial)
{
    const float *const weights = w->weights->data, *const input = w->input->data;
    float product[HIDDEN];
    for (size_t by = 0; by < w->inputs / HIDDEN; by++) {
        for (size_t j = 0; j < HIDDEN; j++) {
            for (size_t i = 0; i < HIDDEN; i++) {
                const size_t in = by * HIDDEN + i + 1;
                product[i] = weights[in * PITCH + j + 1] * input[in];
            }
            for (size_t offset = 1; offset < HIDDEN; offset *= 2) {
                for (size_t i = 0; i < HIDDEN; i += 2 * offset) {
                    product[i] += product[i + offset];
                }
            }
            partial[by * HIDDEN + j] = product[0];
        }
    }
}

static void adjust_on_host(const struct network *w)
{
    float *const weights = w->weights->data, *const old = w->old->data;
    const float *const input = w->input->data, *const delta = w->delta->data;
    for (size_t i = 0; i <= w->inputs; i++) {
        for (size_t j = 1; j < PITCH; j++) {
            const size_t at = i * PITCH + j;
            const float change = i == 0 ? LEARNING * delta[j] + MOMENTUM * old[at]
                                        : LEARNING * delta[j] * input[i] + MOMENTUM * old[at];
            weights[at] += change;
            old[at] = change;
        }
    }
}

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "backprop",
                           .summary = "one training step of a neural network with 16 hidden units",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    const uint32_t n = table[ARG_N].value;
    if (n % HIDDEN != 0) {
        ww_args_refuse(&args, "N must be a multiple of %d, not %" PRIu32, HIDDEN, n);
    }
    struct network w = {.inputs = n};
    w.input = ww_bench_array(&b, "input", WW_FLOAT, (size_t)n + 1);
    w.weights = ww_bench_matrix(&b, "weights", WW_FLOAT, (size_t)n + 1, PITCH);
    w.partial = ww_bench_matrix(&b, "partial", WW_FLOAT, n / HIDDEN, HIDDEN);
    w.delta = ww_bench_array(&b, "delta", WW_FLOAT, PITCH);
    w.old = ww_bench_matrix(&b, "old weights", WW_FLOAT, (size_t)n + 1, PITCH);
    ww_bench_begin(&b);
    srand(table[ARG_SEED].value);
    fill(&w);

    ww_bench_start(&b);
    const struct ww_range range = ww_2d(HIDDEN, n, HIDDEN, HIDDEN);
    ww_launch(&b, "backprop_forward", range, ww_buffer(w.input), ww_buffer(w.weights), ww_buffer(w.partial));
    forward_on_host(&w, w.partial->data);
    ww_bench_check(&b, w.partial);
    middle(&w, w.partial->data); /* from the host's sums, which were compared */
    ww_bench_write(&b, w.weights);
    ww_bench_write(&b, w.delta);
    ww_launch(&b, "backprop_adjust", range, ww_buffer(w.delta), ww_buffer(w.input), ww_buffer(w.weights),
              ww_buffer(w.old));

    adjust_on_host(&w);
    ww_bench_check(&b, w.weights);
    ww_bench_check(&b, w.old);
    return ww_bench_close(&b, "N=%" PRIu32, n);
}
