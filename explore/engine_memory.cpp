// Plain data and blocks of memory: not visible operations, but watched.
#include <algorithm>

#include "explore/engine.hpp"
#include "explore/label.hpp"

namespace racewheel::explore {

namespace {
bool inside(const void* p, const arena::block& b) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const auto start = reinterpret_cast<std::uintptr_t>(b.memory);
  return address >= start && address < start + b.size;
}

/// "between [claim] and [link]": where a thread was in its visible operations.
std::string between(const graph& g, std::uint32_t thread, std::uint32_t index) {
  const auto& events = g.thread(thread).events;
  const auto name = [&](std::uint32_t i) -> std::string {  // the event number i, if it is one
    if (i == 0 || i > events.size() || events[i - 1] == no_id) return "";
    return label(g.get(events[i - 1]));
  };
  const std::string before = name(index - 1);
  const std::string after = name(index);
  if (!before.empty() && !after.empty()) return " between " + before + " and " + after;
  if (!before.empty()) return " after " + before;
  if (!after.empty()) return " before " + after;
  return "";
}
}  // namespace

plain_handle engine::create_plain(const void* address) {
  if (plain_count_ == plains_.size()) plains_.resize(plains_.size() * 2 + 16);
  plain_shadow& p = plains_[plain_count_];
  p.address = address;
  p.writer = static_cast<std::uint16_t>(self_);
  p.written = static_cast<std::uint16_t>(graph_.index_of(self_) + 1);
  p.write_where = {};
  p.dead = false;
  p.any_reads = false;
  p.reads = {};
  return {serial_, plain_count_++};
}

void engine::plain_race(const plain_shadow& p, bool first_writes, std::uint32_t other,
                        std::uint32_t index, std::source_location first, bool writes,
                        std::source_location where, const char* how) {
  const bool construction = first_writes && first.line() == 0;
  const std::string a = std::string(construction   ? "construction"
                                    : first_writes ? "write"
                                                   : "read") +
                        " by " + thread_name(other) + between(graph_, other, index) +
                        (construction ? "" : " (" + describe(first) + ")");
  const std::string b = std::string(how != nullptr ? how
                                    : writes       ? "write"
                                                   : "read") +
                        " by " + thread_name(self_) +
                        between(graph_, self_, graph_.index_of(self_) + 1) +
                        (how != nullptr ? "" : " (" + describe(where) + ")");
  static_cast<void>(p);
  fail(how != nullptr ? finding_kind::use_after_free : finding_kind::data_race,
       "plain data: " + a + " and " + b +
           " are not ordered: no happens-before edge leads from the first to the second");
}

void engine::touch(plain_handle h, bool writes, std::source_location where) {
  if (h.execution != serial_ || h.index >= plain_count_) {
    fail(finding_kind::use_after_free,
         thread_name(self_) + " uses plain data that was not constructed in this execution (" +
             describe(where) + ")");
  }
  plain_shadow& p = plains_[h.index];
  if (p.dead) {
    fail(finding_kind::use_after_free,
         thread_name(self_) + " uses plain data that was freed or " + "destroyed" +
             between(graph_, self_, graph_.index_of(self_) + 1) + " (" + describe(where) + ")");
  }
  const vector_clock& clock = graph_.thread(self_).clock;
  if (p.writer != self_ && !clock.covers(p.writer, p.written)) {
    plain_race(p, true, p.writer, p.written, p.write_where, writes, where, nullptr);
  }
  const auto next = static_cast<std::uint16_t>(graph_.index_of(self_) + 1);
  if (!writes) {
    p.any_reads = true;
    p.reads.known[self_] = next;
    p.read_where[self_] = where;
    return;
  }
  for (std::uint32_t u = 0; p.any_reads && u < thread_count_; ++u) {
    if (u == self_ || clock.covers(u, p.reads.known[u])) continue;
    plain_race(p, false, u, p.reads.known[u], p.read_where[u], writes, where, nullptr);
  }
  p.writer = static_cast<std::uint16_t>(self_);
  p.written = next;
  p.write_where = where;
  if (p.any_reads) {
    p.any_reads = false;
    p.reads = {};
  }
}

/// The end of plain data counts as a write.
void engine::kill_plain(plain_shadow& p, const char* how) {
  const vector_clock& clock = graph_.thread(self_).clock;
  if (p.writer != self_ && !clock.covers(p.writer, p.written)) {
    plain_race(p, true, p.writer, p.written, p.write_where, true, {}, how);
  }
  for (std::uint32_t u = 0; u < thread_count_; ++u) {
    if (u == self_ || clock.covers(u, p.reads.known[u])) continue;
    plain_race(p, false, u, p.reads.known[u], p.read_where[u], true, {}, how);
  }
  p.dead = true;
}

void engine::destroy_plain(plain_handle h) {
  if (h.execution != serial_ || h.index >= plain_count_) return;
  plain_shadow& p = plains_[h.index];
  if (!p.dead) kill_plain(p, "destruction");
}

void engine::kill_location(location_id id, const char* how) {
  graph::location& l = graph_.place(id);
  const vector_clock& clock = graph_.thread(self_).clock;
  for (const event_id a : l.accesses) {
    const event& e = graph_.get(a);
    if (e.thread == self_ || clock.covers(e.thread, e.index)) continue;
    fail(finding_kind::use_after_free, std::string(to_string(e.kind)) + " by " +
                                           thread_name(e.thread) + " at " + label(e) + " and " +
                                           how + " by " + thread_name(self_) +
                                           " are not ordered: the access may come after it");
  }
  l.dead = true;
}

void engine::destroy(location_handle h) {
  if (h.execution != serial_ || h.index >= graph_.location_count()) return;
  if (!graph_.place(h.index).dead) kill_location(h.index, "destruction");
}

void* engine::allocate(std::size_t size, std::size_t alignment) {
  if (options_.reuse_blocks) {
    const std::size_t old = arena_.reusable(size, alignment);
    if (old != arena_.blocks().size()) {
      choices_.assign({0, 1});
      if (choose(choice_kind::reuse) == 1) {
        graph_.learn(self_, arena_.blocks()[old].freed_at);  // allocators synchronise inside
        graph_.tag(mix(graph_.thread(self_).identity, graph_.index_of(self_) + 0x7265U));
        return arena_.reuse(old, self_).memory;
      }
    }
  }
  return arena_.allocate(size, alignment, self_).memory;
}

void engine::deallocate(void* memory) {
  if (memory == nullptr) return;
  arena::block* const b = arena_.find(memory);
  const std::string who = thread_name(self_) + between(graph_, self_, graph_.index_of(self_) + 1);
  if (b == nullptr) {
    fail(finding_kind::misuse, who + " frees memory that was not allocated in this execution");
  }
  if (b->freed) {
    fail(finding_kind::double_free, who + " frees block " + std::to_string(b->ordinal) + " of " +
                                        thread_name(b->thread) + " again");
  }
  for (location_id id = 0; id < graph_.location_count(); ++id) {
    const graph::location& l = graph_.place(id);
    if (!l.dead && inside(l.address, *b)) kill_location(id, "free");
  }
  for (std::uint32_t i = 0; i < plain_count_; ++i) {
    if (!plains_[i].dead && inside(plains_[i].address, *b)) kill_plain(plains_[i], "free");
  }
  graph_.step(self_);
  b->freed = true;
  b->freed_at = graph_.thread(self_).clock;
}

void engine::check_leaks() {
  for (const arena::block& b : arena_.blocks()) {
    if (b.freed) continue;
    found_ = finding_kind::leak;
    message_ = "block " + std::to_string(b.ordinal) + " of " + thread_name(b.thread) + " (" +
               std::to_string(b.size) + " bytes) is never freed";
    end_ = execution_end::finding;
    return;
  }
}

}  // namespace racewheel::explore
