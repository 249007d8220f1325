/* SPDX-License-Identifier: MIT */
/* workloads/common/matvec.c - see matvec.h. */
#include "common/matvec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern const char ww_accumulate_cl[];

void ww_matvec_open(struct ww_matvec *m, struct ww_args *args, int argc, char **argv)
{
    static const char *const accumulate[] = {"-DACC_NAIVE", "-DACC_OPT", "-DACC_REG"};
    const char *sources[] = {ww_accumulate_cl, ww_kernels_cl};
    char options[64];

    ww_args_parse(args, argc, argv);
    *m = (struct ww_matvec){.args = args, .check = {.program = args->program}};
    m->type = args->table[WW_MATVEC_TYPE].value == 0 ? WW_FLOAT : WW_DOUBLE;
    snprintf(options, sizeof options, "%s %s",
             m->type == WW_FLOAT ? "-DREAL=float" : "-DREAL=double -DREAL_IS_DOUBLE",
             accumulate[args->table[WW_MATVEC_ACCUMULATE].value]);
    ww_ocl_open(&m->ocl, args->program, sources, 2, options);
}

struct ww_array *ww_matvec_array(struct ww_matvec *m, const char *name, size_t count)
{
    if (m->count == WW_MATVEC_ARRAYS_MAX) {
        abort();
    }
    struct ww_array *array = &m->arrays[m->count++];
    *array = (struct ww_array){.name = name, .host = ww_reals_new(m->type, count)};
    return array;
}

void ww_matvec_upload(struct ww_matvec *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        struct ww_array *array = &m->arrays[i];
        array->device = ww_ocl_upload(&m->ocl, array->host.data, ww_reals_bytes(&array->host));
    }
}

void ww_matvec_launch(struct ww_matvec *m, const struct ww_launch *launch)
{
    cl_kernel kernel = ww_ocl_kernel(&m->ocl, launch->kernel);
    cl_uint idx = 0;
    for (size_t i = 0; i < 5 && launch->arrays[i] != NULL; i++) {
        ww_ocl_arg_buffer(&m->ocl, kernel, idx++, launch->arrays[i]->device);
    }
    for (size_t i = 0; i < 2 && launch->sizes[i] != 0; i++) {
        ww_ocl_arg_u32(&m->ocl, kernel, idx++, launch->sizes[i]);
    }
    ww_ocl_run(&m->ocl, kernel, launch->items, m->args->table[WW_MATVEC_GROUP].value);
    ww_ocl_release_kernel(&m->ocl, kernel);
}

void ww_matvec_check(struct ww_matvec *m, const struct ww_array *array)
{
    struct ww_reals result = ww_reals_new(m->type, array->host.count);
    ww_ocl_download(&m->ocl, array->device, result.data, ww_reals_bytes(&result));
    ww_check_reals(&m->check, array->name, &array->host, &result);
    free(result.data);
}

int ww_matvec_close(struct ww_matvec *m, const char *format, ...)
{
    const struct ww_arg *table = m->args->table;
    char sizes[48];
    va_list list;
    va_start(list, format);
    vsnprintf(sizes, sizeof sizes, format, list);
    va_end(list);

    for (uint32_t i = 0; i < m->count; i++) {
        ww_ocl_release(&m->ocl, m->arrays[i].device);
        free(m->arrays[i].host.data);
    }
    ww_ocl_close(&m->ocl);
    return ww_check_end(&m->check, "%s %s, accumulate %s, group %" PRIu32, sizes,
                        ww_arg_choice(&table[WW_MATVEC_TYPE]), ww_arg_choice(&table[WW_MATVEC_ACCUMULATE]),
                        table[WW_MATVEC_GROUP].value);
}
