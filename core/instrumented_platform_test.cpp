#include "core/instrumented_platform.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace racewheel {
namespace {

const char* name_of(access kind) {
  switch (kind) {
    case access::load:
      return "load";
    case access::store:
      return "store";
    case access::rmw:
      return "rmw";
    case access::cas:
      return "cas";
    case access::fence:
      return "fence";
    case access::wait:
      return "wait";
    case access::wake:
      return "wake";
    case access::lock:
      return "lock";
    case access::unlock:
      return "unlock";
    case access::allocate:
      return "allocate";
    case access::deallocate:
      return "deallocate";
  }
  return "?";
}

/// Writes down what it is told: "+load a" before, "-load a" after, "!" for what did not succeed.
struct logging_probe {
  static void before(access kind, site s) {
    log.push_back(std::string("+") + name_of(kind) + " " + s.name);
  }
  static void after(access kind, site s, bool succeeded) {
    log.push_back(std::string("-") + name_of(kind) + " " + s.name + (succeeded ? "" : "!"));
  }
  static std::vector<std::string> take() { return std::exchange(log, {}); }

  static inline std::vector<std::string> log;
};

using logged = instrumented_platform<logging_probe>;
using log_lines = std::vector<std::string>;
static_assert(platform<logged>);

constexpr site a{"a", std::memory_order::acq_rel};
constexpr site b{"b", std::memory_order::acquire};
constexpr site r{"r", std::memory_order::relaxed};

TEST(instrumented_platform, every_access_is_announced_before_and_after_with_its_site) {
  logging_probe::take();
  logged::atomic<int> x{5};
  EXPECT_EQ(x.load(b), 5);
  x.store(6, r);
  EXPECT_EQ(x.exchange(7, a), 6);
  EXPECT_EQ(x.fetch_add(2, a), 7);
  EXPECT_EQ(x.fetch_sub(1, a), 9);
  EXPECT_EQ(x.fetch_or(1, a), 8);
  EXPECT_EQ(x.fetch_and(1, a), 9);
  EXPECT_EQ(x.fetch_xor(3, a), 1);
  x.wait(0, b);
  logged::fence(a);
  EXPECT_EQ(
      logging_probe::take(),
      (log_lines{"+load b", "-load b", "+store r", "-store r", "+rmw a",   "-rmw a",  "+rmw a",
                 "-rmw a",  "+rmw a",  "-rmw a",   "+rmw a",   "-rmw a",   "+rmw a",  "-rmw a",
                 "+rmw a",  "-rmw a",  "+wait b",  "-wait b",  "+fence a", "-fence a"}));
}

TEST(instrumented_platform, a_compare_exchange_ends_with_the_site_of_its_outcome) {
  logging_probe::take();
  logged::atomic<int> x{5};
  int expected = 5;
  EXPECT_TRUE(x.compare_exchange_strong(expected, 6, a, b));
  EXPECT_FALSE(x.compare_exchange_strong(expected, 7, a, b));
  EXPECT_EQ(expected, 6);
  expected = 0;
  EXPECT_FALSE(x.compare_exchange_weak(expected, 7, a, b));
  EXPECT_EQ(logging_probe::take(),
            (log_lines{"+cas a", "-cas a", "+cas a", "-cas b!", "+cas a", "-cas b!"}));
}

TEST(instrumented_platform, bare_orders_and_operators_of_third_party_code_are_unnamed) {
  logging_probe::take();
  logged::atomic<int> x;
  x = 3;
  EXPECT_EQ(static_cast<int>(x), 3);
  EXPECT_EQ(++x, 4);
  EXPECT_EQ(x++, 4);
  EXPECT_EQ(x += 5, 10);
  EXPECT_EQ(x.load(std::memory_order::acquire), 10);
  int expected = 10;
  EXPECT_TRUE(x.compare_exchange_strong(expected, 11, std::memory_order::acq_rel));
  EXPECT_EQ(logging_probe::take(),
            (log_lines{"+store ", "-store ", "+load ", "-load ", "+rmw ", "-rmw ", "+rmw ", "-rmw ",
                       "+rmw ", "-rmw ", "+load ", "-load ", "+cas ", "-cas "}));
  int array[3] = {};
  logged::atomic<int*> p{array};
  EXPECT_EQ(p.fetch_add(2), array);
  EXPECT_EQ(p.load(), array + 2);
}

TEST(instrumented_platform, mutex_event_and_memory_are_announced_too) {
  logging_probe::take();
  logged::mutex m;
  m.lock();
  std::thread([&] { EXPECT_FALSE(m.try_lock()); }).join();
  m.unlock();
  EXPECT_EQ(logging_probe::take(),
            (log_lines{"+lock mutex.lock", "-lock mutex.lock", "+lock mutex.lock",
                       "-lock mutex.lock!", "+unlock mutex.unlock", "-unlock mutex.unlock"}));

  logged::event e;
  e.signal();
  EXPECT_TRUE(e.wait_until(logged::now()));
  EXPECT_EQ(logging_probe::take(), (log_lines{"+wake event.signal", "-wake event.signal",
                                              "+wait event.wait", "-wait event.wait"}));

  void* const memory = logged::allocate(64, 64);
  logged::deallocate(memory, 64, 64);
  EXPECT_EQ(logging_probe::take(),
            (log_lines{"+allocate memory.allocate", "-allocate memory.allocate",
                       "+deallocate memory.deallocate", "-deallocate memory.deallocate"}));
}

}  // namespace
}  // namespace racewheel
