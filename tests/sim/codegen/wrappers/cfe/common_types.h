/* Of the operating system layer of the core Flight System: what an application needs. */
#ifndef COMMON_TYPES_H
#define COMMON_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;

#ifdef __GNUC__
#define OS_PRINTF(n, m) __attribute__((format(printf, n, m)))
#define OS_USED __attribute__((used))
#else
#define OS_PRINTF(n, m)
#define OS_USED
#endif

#endif
