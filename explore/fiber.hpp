// Virtual threads' stacks and the switch between them, on Boost.Context.
#pragma once

#include <cstddef>

namespace racewheel::explore {

/// A context with a pooled stack between guard pages. The sanitizers are told about every switch.
///
/// A fiber may be dropped while it is suspended: prepare() forgets what was on its stack, nothing
/// is unwound (code under test is noexcept in places, so it cannot be).
class fiber {
 public:
  using entry = void (*)(void* argument) noexcept;  // never returns

  fiber() = default;
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// The next switch to this fiber calls run(argument) on an empty stack.
  void prepare(entry run, void* argument);

  /// Suspends `from`, which must be the running one, and resumes `to`.
  static void switch_to(fiber& from, fiber& to);

  /// Makes this object stand for the stack that the caller runs on.
  void adopt_caller();

 private:
  struct exception_state {  // what the C++ runtime keeps per thread: caught and uncaught exceptions
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  static void arrived(fiber& self, void* context, fiber& from);
  static void start(void* context, fiber& from);
  friend struct fiber_start;

  void* context_ = nullptr;
  entry run_ = nullptr;
  void* argument_ = nullptr;
  exception_state exceptions_;
  std::byte* mapping_ = nullptr;  // guard page, stack, guard page
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
  void* sanitizer_ = nullptr;          // ASan: fake stack. TSan: fiber.
  static thread_local fiber* target_;  // whom the switch under way resumes
};

}  // namespace racewheel::explore
