#include <cstdio>
#include <cxxabi.h>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

static std::string familiar_text;
static void familiar_put(const char *text) { familiar_text += text; }
@VALUES@
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

template <class T, class = void> struct is_keyed : std::false_type {};
template <class T> struct is_keyed<T, std::void_t<typename T::key_type>> : std::true_type {};

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
template <class T> void common(const T &value) {
    if constexpr (std::is_same_v<T, bool>) {
        familiar_truth(value);
    } else if constexpr (std::is_same_v<T, char>) {
        familiar_letter(value);
    } else if constexpr (std::is_same_v<T, float>) {
        familiar_single(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        familiar_number((double)value);
    } else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
        familiar_natural(value);
    } else if constexpr (std::is_integral_v<T>) {
        familiar_whole(value);
    } else if constexpr (std::is_enum_v<T>) {
        familiar_whole((long long)value);
    } else if constexpr (std::is_convertible_v<T, const char *>) {
        familiar_string(value);
    } else if constexpr (std::is_convertible_v<const T &, std::string>) {
        familiar_string(std::string(value).c_str());
    } else if constexpr (is_pair<T>::value) {
        familiar_put("[");
        common(value.first);
        familiar_put(",");
        common(value.second);
        familiar_put("]");
    } else if constexpr (is_range<T>::value) {
        using Item = std::decay_t<decltype(*value.begin())>;
        constexpr bool keyed = is_keyed<T>::value, pairs = is_pair<Item>::value;
        familiar_put(keyed ? pairs ? "{\"map\":[" : "{\"set\":[" : "[");
        bool first = true;
        for (auto at = value.begin(); at != value.end(); ++at) {
            if (!first) familiar_put(",");
            first = false;
            common<Item>(*at);
        }
        familiar_put(keyed ? "]}" : "]");
    } else {
        familiar_put("{\"other\":\"object\"}");
    }
}
static void value_begin(int patience) {
    familiar_text.clear();
    familiar_catch();
    familiar_patience(patience);
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
static void value_end() {
    alarm(0);
    familiar_printed();
    say("returned", familiar_text);
}
static void value_raised() {
    alarm(0);
    familiar_printed();
    raised();
}
} // namespace familiar
