/* Calls whose results are values in the JSON form that all languages share. What a call prints goes to a file meanwhile. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void familiar_quoted(const char *text) {
    char one[8];
    familiar_put("\"");
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\') {
            sprintf(one, "\\%c", letter);
        } else if (letter < 32 || letter > 126) {
            sprintf(one, "\\u%04x", letter);
        } else {
            sprintf(one, "%c", letter);
        }
        familiar_put(one);
    }
    familiar_put("\"");
}
static void familiar_number(double value) {
    char text[400];
    if (isfinite(value)) {
        sprintf(text, "%.17g", value);
        if (!strpbrk(text, ".e")) strcat(text, ".0");
    } else {
        sprintf(text, "{\"real\":\"%g\"}", value);
    }
    familiar_put(text);
}
static void familiar_single(float value) {
    char text[64];
    sprintf(text, "%.9g", value);
    familiar_number(atof(text));
}
static void familiar_whole(long long value) {
    char text[64];
    int large = value >= (1LL << 53) || value <= -(1LL << 53);
    unsigned long long size = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    sprintf(text, large ? "{\"int\":\"%s0x%llx\"}" : "%s%lld", value < 0 ? "-" : "", (long long)size);
    familiar_put(text);
}
static void familiar_natural(unsigned long long value) {
    char text[64];
    sprintf(text, value >> 53 ? "{\"int\":\"0x%llx\"}" : "%llu", value);
    familiar_put(text);
}
static void familiar_truth(int value) { familiar_put(value ? "true" : "false"); }
static void familiar_letter(int value) {
    char text[2] = {(char)value, 0};
    familiar_quoted(text);
}
static void familiar_string(const char *value) {
    if (value) familiar_quoted(value);
    else familiar_put("null");
}
static void familiar_address(const void *value) { familiar_put(value ? "{\"other\":\"address\"}" : "null"); }

#ifndef __cplusplus
#define FAMILIAR_VALUE(value)                                                                      \
    _Generic((value),                                                                              \
        float: familiar_single, double: familiar_number, long double: familiar_number,             \
        unsigned: familiar_natural, unsigned long: familiar_natural,                               \
        unsigned long long: familiar_natural, _Bool: familiar_truth, char: familiar_letter,        \
        signed char: familiar_whole, unsigned char: familiar_whole, short: familiar_whole,         \
        unsigned short: familiar_whole, int: familiar_whole, long: familiar_whole,                 \
        long long: familiar_whole, char *: familiar_string, const char *: familiar_string,         \
        default: familiar_address)(value)
#define FAMILIAR_ITEMS(array)                                                                      \
    do {                                                                                           \
        familiar_put("[");                                                                         \
        for (unsigned long familiar_i = 0; familiar_i < sizeof(array) / sizeof *(array); familiar_i++) { \
            if (familiar_i) familiar_put(",");                                                     \
            FAMILIAR_VALUE((array)[familiar_i]);                                                   \
        }                                                                                          \
        familiar_put("]");                                                                         \
    } while (0)
#endif

static int familiar_before, familiar_file;
static void familiar_catch(void) {
    fflush(stdout);
    familiar_before = dup(1);
    familiar_file = open("familiar.printed", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (familiar_file >= 0) dup2(familiar_file, 1);
}
static void familiar_printed(void) {
    static char text[1 << 14];
    long length = 0;
    fflush(stdout);
    dup2(familiar_before, 1);
    close(familiar_before);
    if (familiar_file >= 0) {
        length = pread(familiar_file, text, sizeof text - 1, 0);
        close(familiar_file);
    }
    text[length < 0 ? 0 : length] = 0;
    familiar_put(",\"printed\":");
    familiar_quoted(text);
    familiar_put("}");
}
static unsigned char familiar_hits[1 << 12];
static void familiar_hit(int place) { familiar_hits[place & 4095] = 1; }
static void familiar_patience(int thousandths) {
    alarm((thousandths + 999) / 1000);
}
static void familiar_covered(void) {
    int ran = 0;
    for (int place = 0; place < 4096; place++) ran += familiar_hits[place];
    fprintf(stderr, "\n@MARK@{\"covered\":{\"ran\":%d,\"all\":0}}\n", ran);
}
