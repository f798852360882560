/* Calls the program's main, and reports that it came to its end. */
#include <stdio.h>

int __real_main(int, char **, char **);

int __wrap_main(int count, char **arguments, char **environment) {
    int code = __real_main(count, arguments, environment);
    fflush(stdout);
    if (code == 0) fputs("\n@MARK@{\"end\":\"finished\"}\n", stderr);
    return code;
}
