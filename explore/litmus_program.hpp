// Litmus programs: a few threads of a few atomic operations, and the notation they are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace racewheel::litmus {

/// Wraps around like an atomic integer does.
using value = std::int64_t;

/// na is plain data: a location is plain or atomic in all its accesses, never both, as in C++.
enum class order { na, rlx, acq, rel, ar, sc };

enum class kind { store, load, exchange, fetch_add, compare_exchange, fence };

/// A number, or a register of the same thread.
struct operand {
  std::optional<std::size_t> reg{};
  value literal = 0;
};

/// The operation runs only if the register has this value.
struct condition {
  std::size_t reg = 0;
  value equals = 0;
};

struct operation {
  kind what = kind::fence;
  std::size_t location = 0;             // index into program::locations; fences have none
  operand argument{};                   // what is stored, exchanged, added, or desired by a CAS
  operand expected{};                   // of a CAS
  order success = order::rlx;           // the order; of a CAS, the one if it succeeds
  order failure = order::rlx;           // of a CAS
  std::optional<condition> only_if{};   // ?r0=1
  std::optional<std::size_t> result{};  // the register it sets
};

/// All locations start at 0.
struct program {
  std::vector<std::string> locations;  // in the order of their first appearance
  std::vector<std::vector<operation>> threads;
};

/// What stands at column() (from 1) is not what the notation expects there.
class syntax_error : public std::invalid_argument {
 public:
  syntax_error(std::size_t column, const std::string& what_is_wrong);
  [[nodiscard]] std::size_t column() const noexcept { return column_; }

 private:
  std::size_t column_;
};

/// The notation. Threads are split by `|`, operations by `;`:
///   W x 1 rlx         store                  rlx rel sc, or na for plain data
///   R x acq           load                   rlx acq sc, or na for plain data
///   X x 1 ar          exchange               rlx acq rel ar sc
///   U x 1 rlx         fetch_add              rlx acq rel ar sc
///   C x 0 1 ar rlx    compare_exchange_strong: expected, desired, success (any but na), failure
///                     (rlx acq sc)
///   F sc              fence                  rlx acq rel ar sc
///   ?r0=1 W y 2 rlx   only if this thread's r0 equals 1
///   W y r0 rlx        a register where a number may stand
/// A thread's registers r0, r1, ... number its R, X, U and C operations in program order; what is
/// skipped keeps its number and has no value. An operation that needs a register without a value,
/// in its condition or as an operand, is skipped too.
/// Throws syntax_error, also for an order the operation cannot have, a register no earlier
/// operation sets, and a location that is plain here and atomic there.
[[nodiscard]] program parse(std::string_view text);

/// The program in its notation: parse(to_string(p)) is p again.
[[nodiscard]] std::string to_string(const program& p);
[[nodiscard]] std::string to_string(const operation& op, const program& p);
[[nodiscard]] std::string_view to_string(order o) noexcept;

/// Whether any access of this location is plain; then all are.
[[nodiscard]] bool is_plain(const program& p, std::size_t location) noexcept;

/// How many registers a thread has.
[[nodiscard]] std::size_t register_count(const std::vector<operation>& thread) noexcept;

}  // namespace racewheel::litmus
