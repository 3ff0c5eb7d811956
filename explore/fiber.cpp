#include "explore/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <new>
#include <utility>

#include "explore/sanitized.hpp"

#ifdef RACEWHEEL_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef RACEWHEEL_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace racewheel::explore {

namespace context = boost::context::detail;

namespace {
constexpr std::size_t usable_stack = 256 * 1024;  // touched pages only cost memory

std::size_t page_size() {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}
}  // namespace

thread_local fiber* fiber::target_ = nullptr;

struct fiber_start {
  static void enter(context::transfer_t t) { fiber::start(t.fctx, *static_cast<fiber*>(t.data)); }
};

fiber::~fiber() {
#ifdef RACEWHEEL_TSAN
  if (mapping_ != nullptr && sanitizer_ != nullptr) __tsan_destroy_fiber(sanitizer_);
#endif
  if (mapping_ != nullptr) munmap(mapping_, usable_stack + 2 * page_size());
}

void fiber::prepare(entry run, void* argument) {
  const std::size_t guard = page_size();
  if (mapping_ == nullptr) {
    void* const memory = mmap(nullptr, usable_stack + 2 * guard, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mapping_ = static_cast<std::byte*>(memory);
    mprotect(mapping_, guard, PROT_NONE);
    mprotect(mapping_ + guard + usable_stack, guard, PROT_NONE);
    stack_bottom_ = mapping_ + guard;
    stack_size_ = usable_stack;
  }
#ifdef RACEWHEEL_ASAN
  __asan_unpoison_memory_region(stack_bottom_, stack_size_);  // red zones of dropped frames
  sanitizer_ = nullptr;
#endif
#ifdef RACEWHEEL_TSAN
  if (sanitizer_ != nullptr) __tsan_destroy_fiber(sanitizer_);  // its call stack is a dropped one
  sanitizer_ = __tsan_create_fiber(0);
#endif
  run_ = run;
  argument_ = argument;
  exceptions_ = {};
  context_ =
      context::make_fcontext(mapping_ + guard + usable_stack, usable_stack, &fiber_start::enter);
}

void fiber::adopt_caller() {
#ifdef RACEWHEEL_TSAN
  sanitizer_ = __tsan_get_current_fiber();
#endif
}

void fiber::switch_to(fiber& from, fiber& to) {
  static_assert(sizeof(exception_state) == 2 * sizeof(void*));
  static thread_local void* const runtime = abi::__cxa_get_globals();
  std::memcpy(static_cast<void*>(&from.exceptions_), runtime, sizeof(exception_state));
  std::memcpy(runtime, &to.exceptions_, sizeof(exception_state));
  target_ = &to;
#ifdef RACEWHEEL_ASAN
  __sanitizer_start_switch_fiber(&from.sanitizer_, to.stack_bottom_, to.stack_size_);
#endif
#ifdef RACEWHEEL_TSAN
  __tsan_switch_to_fiber(to.sanitizer_, 0);
#endif
  const context::transfer_t t = context::jump_fcontext(std::exchange(to.context_, nullptr), &from);
  arrived(from, t.fctx, *static_cast<fiber*>(t.data));
}

void fiber::arrived([[maybe_unused]] fiber& self, void* where, fiber& from) {
  from.context_ = where;
#ifdef RACEWHEEL_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(self.sanitizer_, &bottom, &size);
  if (from.mapping_ == nullptr) {  // an adopted stack is learned from its first switch away
    from.stack_bottom_ = bottom;
    from.stack_size_ = size;
  }
#endif
}

void fiber::start(void* where, fiber& from) {
  fiber& self = *target_;
  arrived(self, where, from);
  self.run_(self.argument_);
}

}  // namespace racewheel::explore
