//! Names of the standard libraries of C and C++, and of what stands in its headers.

/// Functions and methods that programs often call, sorted.
#[rustfmt::skip]
pub(super) const FUNCTIONS: [&str; 280] = [
    "abort", "abs", "accumulate", "acos", "acosh", "append", "asin", "asinh", "assert", "at",
    "atan", "atan2", "atanh", "atexit", "atof", "atoi", "atol", "atoll", "back", "begin",
    "binary_search", "bsearch", "c_str", "calloc", "cbrt", "ceil", "clear", "clearerr", "clock",
    "compare", "copysign", "cos", "cosh", "count", "ctime", "dec", "difftime", "div", "emplace",
    "emplace_back", "empty", "end", "erase", "erf", "exit", "exp", "exp2", "expm1", "fabs",
    "fclose", "fdim", "feof", "ferror", "fflush", "fgetc", "fgets", "fgetwc", "fgetws", "fill",
    "find", "fixed", "floor", "fma", "fmax", "fmin", "fmod", "fopen", "fprintf", "fputc",
    "fputs", "fread", "free", "freopen", "frexp", "front", "fscanf", "fseek", "ftell", "fwrite",
    "gcd", "get", "getc", "getchar", "getenv", "getline", "gets", "getwc", "getwchar", "gmtime",
    "hex", "hypot", "ignore", "ilogb", "insert", "iota", "isalnum", "isalpha", "isblank",
    "iscntrl", "isdigit", "isfinite", "isgraph", "isinf", "islower", "isnan", "isnormal",
    "isprint", "ispunct", "isspace", "isupper", "iswalnum", "iswalpha", "iswdigit", "iswspace",
    "isxdigit", "labs", "lcm", "ldexp", "ldiv", "length", "lgamma", "llabs", "lldiv", "llrint",
    "llround", "localeconv", "localtime", "log", "log10", "log1p", "log2", "logb", "longjmp",
    "lower_bound", "lrint", "lround", "make_pair", "make_tuple", "malloc", "max", "max_element",
    "mblen", "mbstowcs", "mbtowc", "memchr", "memcmp", "memcpy", "memmove", "memset", "min",
    "min_element", "mktime", "modf", "nan", "nearbyint", "next_permutation", "nextafter",
    "nth_element", "oct", "partial_sum", "peek", "perror", "pop", "pop_back", "pop_front",
    "pow", "pow10", "printf", "push", "push_back", "push_front", "putc", "putchar", "puts",
    "putw", "qsort", "raise", "rand", "random", "realloc", "remainder", "remove", "rename",
    "replace", "reserve", "resize", "reverse", "rewind", "rint", "rotate", "round", "scanf",
    "setbuf", "setfill", "setjmp", "setlocale", "setprecision", "setvbuf", "setw", "signal",
    "signbit", "sin", "sinh", "size", "snprintf", "sort", "sprintf", "sqrt", "srand", "srandom",
    "sscanf", "stable_sort", "stod", "stoi", "stol", "stoll", "strcasecmp", "strcat", "strchr",
    "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror", "strftime", "strlen",
    "strlwr", "strncasecmp", "strncat", "strncmp", "strncpy", "strpbrk", "strrchr", "strrev",
    "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoll", "strtoul",
    "strtoull", "strupr", "substr", "swap", "system", "tan", "tanh", "tgamma", "tie", "time",
    "tmpfile", "to_string", "tolower", "top", "toupper", "towlower", "towupper", "transform",
    "trunc", "ungetc", "unique", "upper_bound", "vfprintf", "vprintf", "vscanf", "vsnprintf",
    "vsprintf", "wcscat", "wcschr", "wcscmp", "wcscpy", "wcslen", "wcsncpy", "wcstod", "wcstol",
    "wprintf",
];

/// Other names, sorted.
#[rustfmt::skip]
pub(super) const IDENTIFIERS: [&str; 42] = [
    "DBL_MAX", "DBL_MIN", "EOF", "EXIT_SUCCESS", "FILE", "FLT_MAX", "INFINITY", "INT_MAX",
    "INT_MIN", "LONG_MAX", "M_PI", "NULL", "RAND_MAX", "UINT_MAX", "cerr", "cin", "cout",
    "define", "endif", "endl", "errno", "ifdef", "ifndef", "include", "int32_t", "int64_t",
    "main", "map", "pair", "queue", "set", "size_t", "stack", "std", "stderr", "stdin",
    "stdout", "string", "uint32_t", "uint64_t", "undef", "vector",
];
