#include <cstdio>
#include <cxxabi.h>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace familiar {
static std::string line;

template <class T, class = void> struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::declval<const T &>().begin() != std::declval<const T &>().end())>>
    : std::true_type {};
template <class T, class = void> struct is_pair : std::false_type {};
template <class T>
struct is_pair<T, std::void_t<decltype(std::declval<const T &>().first, std::declval<const T &>().second)>>
    : std::true_type {};

template <class T> std::string shown(const T &value) {
    if constexpr (std::is_floating_point_v<T>) {
        char text[400];
        std::snprintf(text, sizeof text, "%.17Lg", (long double)value);
        return text;
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_enum_v<T>) {
        return std::to_string((long long)value);
    } else if constexpr (std::is_convertible_v<const T &, std::string>) {
        return "'" + std::string(value) + "'";
    } else if constexpr (is_pair<T>::value) {
        return "(" + shown(value.first) + ", " + shown(value.second) + ")";
    } else if constexpr (is_range<T>::value) {
        std::string all = "[";
        for (auto at = value.begin(); at != value.end(); ++at) {
            if (all.size() > 1) all += ", ";
            all += shown(*at);
        }
        return all + "]";
    } else {
        return "(object)";
    }
}
static void say(const char *how, const std::string &text) {
    std::string plain;
    for (unsigned char letter : text) {
        char escaped[8];
        if (letter < 32 || letter > 126) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", letter);
            plain += escaped;
        } else {
            if (letter == '"' || letter == '\\') plain += '\\';
            plain += (char)letter;
        }
    }
    std::fflush(stdout);
    std::fprintf(stderr, "\n@MARK@{\"called\":{\"%s\":\"%s\"}}\n", how, plain.c_str());
}
static void begin() { line.clear(); }
static void next(const std::string &text) { line += text + " "; }
static void end() { say("returned", line); }
static void raised() {
    int status = 0;
    const char *name = abi::__cxa_current_exception_type()->name();
    char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    say("raised", plain ? plain : name);
}
} // namespace familiar
