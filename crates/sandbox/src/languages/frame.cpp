// Calls the program's main, and reports how it ended.
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <typeinfo>

extern "C" int __real_main(int, char **, char **);

extern "C" int __wrap_main(int count, char **arguments, char **environment) {
    try {
        int code = __real_main(count, arguments, environment);
        std::fflush(stdout);
        if (code == 0) std::fputs("\n@MARK@{\"end\":\"finished\"}\n", stderr);
        return code;
    } catch (abi::__forced_unwind &) {
        throw;
    } catch (...) {
        int status = 0;
        const char *name = abi::__cxa_current_exception_type()->name();
        char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
        std::fflush(stdout);
        std::fprintf(stderr, "\n@MARK@{\"end\":{\"raised\":\"%s\"}}\n", plain ? plain : name);
        std::_Exit(1);
    }
}
