// The README's example: a state machine of one's own, explored.
#include <gtest/gtest.h>

#include "explore/explorer.hpp"
#include "explore/platform.hpp"

namespace {

namespace explore = racewheel::explore;
constexpr racewheel::site decide{"decide", std::memory_order::acq_rel};
constexpr racewheel::site lose{"lose", std::memory_order::acquire};

template <class Platform>
struct my_timeout {
  enum state { pending, cancelled, expired };
  typename Platform::template atomic<state> now{pending};
  typename Platform::template plain<int> reason{0};  // the winner's to write

  bool end(state how, int why) {
    state expected = pending;
    if (!now.compare_exchange_strong(expected, how, decide, lose)) return false;
    reason.set(why);
    return true;
  }
};

void cancel_versus_expire() {
  my_timeout<explore::platform> t;
  int winners = 0;  // the test's own notes are ordinary variables
  explore::run([&] { winners += t.end(t.cancelled, 1); }, [&] { winners += t.end(t.cancelled, 2); },
               [&] { winners += t.end(t.expired, 3); });
  explore::check(winners == 1, "exactly one wins");
}

TEST(readme, cancel_versus_expire_has_one_winner) {
  // Every execution that the C++ memory model allows.
  const explore::result r = explore::search({"cancel_versus_expire", cancel_versus_expire}, {});
  EXPECT_EQ(r.verdict, explore::verdict::ok) << r.finding.message << "\n" << r.finding.trace;
}

}  // namespace
