#include "explore/litmus_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace racewheel::litmus {
namespace {

constexpr std::array<std::pair<std::string_view, order>, 6> order_names{{{"na", order::na},
                                                                         {"rlx", order::rlx},
                                                                         {"acq", order::acq},
                                                                         {"rel", order::rel},
                                                                         {"ar", order::ar},
                                                                         {"sc", order::sc}}};

/// One row per kind: the letter, its name in messages, and the orders it may have.
struct kind_row {
  char letter;
  kind what;
  std::string_view name;
  std::initializer_list<order> orders;
};

constexpr std::initializer_list<order> any_order{order::rlx, order::acq, order::rel, order::ar,
                                                 order::sc};
constexpr std::initializer_list<order> failure_orders{order::rlx, order::acq, order::sc};
constexpr std::initializer_list<order> store_orders{order::rlx, order::rel, order::sc, order::na};
constexpr std::initializer_list<order> load_orders{order::rlx, order::acq, order::sc, order::na};

constexpr std::array<kind_row, 6> kinds{{{'W', kind::store, "a store", store_orders},
                                         {'R', kind::load, "a load", load_orders},
                                         {'X', kind::exchange, "an exchange", any_order},
                                         {'U', kind::fetch_add, "a fetch_add", any_order},
                                         {'C', kind::compare_exchange, "a CAS", any_order},
                                         {'F', kind::fence, "a fence", any_order}}};

const kind_row& row_of(kind what) {
  return *std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.what == what; });
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_separator(char c) { return c == ';' || c == '|'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::optional<value> number_in(std::string_view word) {
  value v = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return v;
}

/// `r` and digits is a register, so it is never a location.
std::optional<std::size_t> register_in(std::string_view word) {
  if (word.size() < 2 || word[0] != 'r' || !std::all_of(word.begin() + 1, word.end(), is_digit)) {
    return std::nullopt;
  }
  std::size_t reg = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), reg);
  if (error != std::errc{}) return std::nullopt;
  return reg;
}

class parser {
 public:
  explicit parser(std::string_view text) : text_(text) {}

  program run() {
    program_.threads.emplace_back();
    for (;;) {
      program_.threads.back().push_back(parse_operation());
      skip_spaces();
      if (at_ == text_.size()) return std::move(program_);
      if (!is_separator(text_[at_])) expected("';', '|' or the end", peek());
      if (text_[at_++] == '|') {
        program_.threads.emplace_back();
        registers_ = 0;
      }
    }
  }

 private:
  struct word {
    std::string_view text;
    std::size_t column;
  };
  struct first_use {
    bool plain;
    std::size_t column;
  };

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  word peek() {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end]) && !is_separator(text_[end])) ++end;
    return {text_.substr(at_, end - at_), at_ + 1};
  }

  word next() {
    const word w = peek();
    at_ += w.text.size();
    return w;
  }

  [[noreturn]] void expected(const std::string& what, const word& found) const {
    std::string shown = "the end";
    if (!found.text.empty()) {
      shown = fmt::format("'{}'", found.text);
    } else if (found.column <= text_.size()) {
      shown = fmt::format("'{}'", text_[found.column - 1]);
    }
    throw syntax_error(found.column, fmt::format("expected {}, found {}", what, shown));
  }

  operation parse_operation() {
    operation op;
    if (peek().text.starts_with('?')) op.only_if = parse_condition();
    const word letter = next();
    const auto row = std::find_if(kinds.begin(), kinds.end(), [&](const kind_row& k) {
      return letter.text.size() == 1 && k.letter == letter.text[0];
    });
    if (row == kinds.end()) expected("an operation (W, R, X, U, C or F)", letter);
    op.what = row->what;
    std::size_t location_column = 0;
    if (op.what != kind::fence) op.location = parse_location(location_column);
    if (op.what == kind::compare_exchange) op.expected = parse_operand("the expected value");
    if (op.what != kind::load && op.what != kind::fence) op.argument = parse_operand("a value");
    op.success = parse_order(*row, row->orders, "");
    if (op.what == kind::compare_exchange) {
      op.failure = parse_order(*row, failure_orders, " that fails");
    }
    if (op.what != kind::fence) check_plainness(op, location_column);
    if (op.what != kind::store && op.what != kind::fence) op.result = registers_++;
    return op;
  }

  condition parse_condition() {
    word w = next();
    ++w.column;  // past the '?'
    w.text.remove_prefix(1);
    const std::size_t equals = w.text.find('=');
    if (equals == std::string_view::npos) expected("a condition like ?r0=1", w);
    const word name{w.text.substr(0, equals), w.column};
    const word number{w.text.substr(equals + 1), w.column + equals + 1};
    const auto reg = register_in(name.text);
    if (!reg) expected("a register (r0, r1, ...)", name);
    check_register(*reg, name);
    const auto v = number_in(number.text);
    if (!v) expected("a number after '='", number);
    return {*reg, *v};
  }

  void check_register(std::size_t reg, const word& w) const {
    if (reg < registers_) return;
    const std::string known = registers_ == 0 ? "none is set"
                              : registers_ == 1
                                  ? "only r0 is set"
                                  : fmt::format("only r0 to r{} are set", registers_ - 1);
    expected(fmt::format("a register of an earlier R, X, U or C of this thread ({})", known), w);
  }

  std::size_t parse_location(std::size_t& column) {
    const word w = next();
    column = w.column;
    const bool identifier = !w.text.empty() && is_letter(w.text[0]) &&
                            std::all_of(w.text.begin(), w.text.end(),
                                        [](char c) { return is_letter(c) || is_digit(c); });
    if (!identifier || register_in(w.text)) expected("a location (a name like x)", w);
    const auto known = std::find(program_.locations.begin(), program_.locations.end(), w.text);
    if (known != program_.locations.end()) {
      return static_cast<std::size_t>(known - program_.locations.begin());
    }
    program_.locations.emplace_back(w.text);
    return program_.locations.size() - 1;
  }

  operand parse_operand(const std::string& what) {
    const word w = next();
    if (const auto reg = register_in(w.text)) {
      check_register(*reg, w);
      return {reg, 0};
    }
    const auto v = number_in(w.text);
    if (!v) expected(fmt::format("{} (a 64-bit number or a register)", what), w);
    return {std::nullopt, *v};
  }

  order parse_order(const kind_row& row, std::initializer_list<order> allowed,
                    std::string_view which) {
    const word w = next();
    for (const order o : allowed) {
      if (to_string(o) == w.text) return o;
    }
    std::vector<std::string_view> names;
    for (const order o : allowed) names.push_back(to_string(o));
    expected(fmt::format("the order of {}{} ({})", row.name, which, fmt::join(names, ", ")), w);
  }

  void check_plainness(const operation& op, std::size_t column) {
    const bool plain = op.success == order::na;
    if (op.location == uses_.size()) {
      uses_.push_back({plain, column});
      return;
    }
    const first_use& use = uses_[op.location];
    if (use.plain == plain) return;
    throw syntax_error(
        column, fmt::format("expected '{}' to be {} as at column {}, found {} access",
                            program_.locations[op.location], use.plain ? "plain (na)" : "atomic",
                            use.column, plain ? "a plain (na)" : "an atomic"));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  program program_;
  std::size_t registers_ = 0;    // of the current thread, so far
  std::vector<first_use> uses_;  // by location
};

std::string to_string(const operand& o) {
  return o.reg ? fmt::format("r{}", *o.reg) : fmt::format("{}", o.literal);
}

}  // namespace

syntax_error::syntax_error(std::size_t column, const std::string& what_is_wrong)
    : std::invalid_argument(fmt::format("column {}: {}", column, what_is_wrong)), column_(column) {}

program parse(std::string_view text) { return parser(text).run(); }

std::string_view to_string(order o) noexcept {
  return std::find_if(order_names.begin(), order_names.end(),
                      [&](const auto& named) { return named.second == o; })
      ->first;
}

std::string to_string(const operation& op, const program& p) {
  std::string text;
  const auto word = [&](const auto& w) { text += fmt::format("{}{}", text.empty() ? "" : " ", w); };
  if (op.only_if) word(fmt::format("?r{}={}", op.only_if->reg, op.only_if->equals));
  word(row_of(op.what).letter);
  if (op.what != kind::fence) word(p.locations[op.location]);
  if (op.what == kind::compare_exchange) word(to_string(op.expected));
  if (op.what != kind::load && op.what != kind::fence) word(to_string(op.argument));
  word(to_string(op.success));
  if (op.what == kind::compare_exchange) word(to_string(op.failure));
  return text;
}

std::string to_string(const program& p) {
  std::string text;
  for (const auto& thread : p.threads) {
    if (&thread != &p.threads.front()) text += " | ";
    for (const operation& op : thread) {
      if (&op != &thread.front()) text += "; ";
      text += to_string(op, p);
    }
  }
  return text;
}

bool is_plain(const program& p, std::size_t location) noexcept {
  for (const auto& thread : p.threads) {
    for (const operation& op : thread) {
      if (op.what != kind::fence && op.location == location) return op.success == order::na;
    }
  }
  return false;
}

std::size_t register_count(const std::vector<operation>& thread) noexcept {
  return static_cast<std::size_t>(
      std::count_if(thread.begin(), thread.end(), [](const auto& op) { return bool(op.result); }));
}

}  // namespace racewheel::litmus
