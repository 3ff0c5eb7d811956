#include "explore/schedule.hpp"

#include <charconv>
#include <iterator>

#include "explore/engine.hpp"

namespace racewheel::explore {

namespace {
constexpr std::string_view letters = "trsfwb";  // in the order of choice_kind

[[noreturn]] void reject(std::string_view part) {
  throw std::invalid_argument("schedule: '" + std::string(part) +
                              "' is no deviation; expected a letter of " + std::string(letters) +
                              ", a number, '=' and a number, as in t3=2");
}
}  // namespace

std::string to_token(const std::vector<decision>& decisions) {
  std::string token;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const decision& d = decisions[i];
    if (d.option == 0) continue;
    if (!token.empty()) token += '.';
    token += letters[static_cast<std::size_t>(d.kind)];
    token += std::to_string(i + 1) + "=" + std::to_string(d.value);
  }
  return token.empty() ? "-" : token;
}

std::string words_of(const std::vector<decision>& decisions, std::uint32_t clock_thread) {
  constexpr const char* kinds[] = {"switch",  "stale read",   "early store", "spurious failure",
                                   "wake-up", "reused block", "time jump"};
  std::size_t counts[std::size(kinds)] = {};
  for (const decision& d : decisions) {
    if (d.option == 0) continue;
    const bool jump = d.kind == choice_kind::thread && d.value == clock_thread;
    ++counts[jump ? std::size(kinds) - 1 : static_cast<std::size_t>(d.kind)];
  }
  std::string words;
  for (std::size_t k = 0; k < std::size(kinds); ++k) {
    if (counts[k] == 0) continue;
    words += (words.empty() ? "" : ", ") + std::to_string(counts[k]) + " " + kinds[k];
    if (counts[k] > 1) words += k == 0 ? "es" : "s";
  }
  return words.empty() ? "the default schedule" : words;
}

std::vector<deviation> parse_token(std::string_view token) {
  std::vector<deviation> deviations;
  if (token == "-") return deviations;
  for (bool more = true; more;) {
    const std::string_view part = token.substr(0, token.find('.'));
    const std::size_t kind = part.empty() ? letters.npos : letters.find(part.front());
    if (kind == letters.npos) reject(part);
    deviation d{0, static_cast<choice_kind>(kind), 0};
    const char* const end = part.data() + part.size();
    const auto number = std::from_chars(part.data() + 1, end, d.number);
    if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '=') reject(part);
    const auto value = std::from_chars(number.ptr + 1, end, d.value);
    if (value.ec != std::errc{} || value.ptr != end) reject(part);
    if (!deviations.empty() && d.number <= deviations.back().number) reject(part);
    deviations.push_back(d);
    more = part.size() < token.size();
    token.remove_prefix(part.size() + (more ? 1 : 0));
  }
  return deviations;
}

}  // namespace racewheel::explore
