// Options that are whole numbers within bounds.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <limits>
#include <string>

namespace racewheel::cli {

/// Adds --name N, handed to store(N). CLI11 by itself would read -4 as 18446744073709551612; here
/// what is no number from `least` to `most` is an error that repeats it as typed.
template <std::unsigned_integral N, std::invocable<N> Store>
CLI::Option* add_number(CLI::App& app, const std::string& name, N least, N most,
                        const std::string& what, Store store) {
  const auto take = [name, least, most, store](const std::string& typed) {
    N number{};
    const char* const end = typed.data() + typed.size();
    const auto parsed = std::from_chars(typed.data(), end, number);
    if (parsed.ec != std::errc{} || parsed.ptr != end || number < least || number > most) {
      throw CLI::ValidationError(
          fmt::format("{} {}: must be a whole number from {} to {}", name, typed, least, most));
    }
    store(number);
  };
  return app.add_option_function<std::string>(name, take, what)->type_name("N");
}

/// The same into `value`, which holds the default.
template <std::unsigned_integral N>
CLI::Option* add_number(CLI::App& app, const std::string& name, N& value, N least, N most,
                        const std::string& what) {
  return add_number(app, name, least, most, what, [&value](N number) { value = number; })
      ->default_str(std::to_string(value));
}

/// Any seed is allowed.
inline CLI::Option* add_seed(CLI::App& app, std::uint64_t& value, const std::string& what) {
  return add_number(app, "--seed", value, std::uint64_t{0},
                    std::numeric_limits<std::uint64_t>::max(), what);
}

}  // namespace racewheel::cli
