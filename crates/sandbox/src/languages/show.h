#include <stdbool.h>
#include <stdio.h>

static char familiar_line[1 << 16];
static int familiar_used;

static void familiar_put(const char *text) {
    for (; *text && familiar_used < (int)sizeof familiar_line - 8; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\') familiar_line[familiar_used++] = '\\';
        if (letter < 32 || letter > 126) {
            familiar_used += sprintf(familiar_line + familiar_used, "\\u%04x", letter);
        } else {
            familiar_line[familiar_used++] = (char)letter;
        }
    }
}
static void familiar_begin(void) { familiar_used = 0; }
static void familiar_end(void) {
    familiar_line[familiar_used] = 0;
    fflush(stdout);
    fprintf(stderr, "\n@MARK@{\"called\":{\"returned\":\"%s\"}}\n", familiar_line);
}
static void familiar_integer(long long value) {
    char text[32];
    sprintf(text, "%lld ", value);
    familiar_put(text);
}
static void familiar_unsigned(unsigned long long value) {
    char text[32];
    sprintf(text, "%llu ", value);
    familiar_put(text);
}
static void familiar_real(double value) {
    char text[400];
    sprintf(text, "%.17g ", value);
    familiar_put(text);
}
static void familiar_text(const char *value) {
    familiar_put(value ? value : "(null)");
    familiar_put(" ");
}
static void familiar_pointer(const void *value) { familiar_put(value ? "(pointer) " : "(null) "); }

#define FAMILIAR_SHOW(value)                                                                       \
    _Generic((value),                                                                              \
        float: familiar_real, double: familiar_real, long double: familiar_real,                   \
        unsigned: familiar_unsigned, unsigned long: familiar_unsigned,                             \
        unsigned long long: familiar_unsigned, _Bool: familiar_integer, char: familiar_integer,    \
        signed char: familiar_integer, unsigned char: familiar_integer, short: familiar_integer,   \
        unsigned short: familiar_integer, int: familiar_integer, long: familiar_integer,           \
        long long: familiar_integer, char *: familiar_text, const char *: familiar_text,           \
        default: familiar_pointer)(value)
#define FAMILIAR_ARRAY(array)                                                                      \
    do {                                                                                           \
        familiar_put("after ");                                                                    \
        for (unsigned long familiar_i = 0; familiar_i < sizeof(array) / sizeof *(array); familiar_i++) \
            FAMILIAR_SHOW((array)[familiar_i]);                                                    \
    } while (0)
