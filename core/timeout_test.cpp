#include "core/timeout.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "core/counting_platform.hpp"
#include "core/timeout_handle.hpp"

namespace racewheel {
namespace {

static_assert(sizeof(timeout<std_platform, timer_recipe>) == 128, "two cache lines, task included");

using node = timeout<counting_platform, timer_recipe>;
using handle = timeout_handle<counting_platform, timer_recipe>;

struct nothing {
  void operator()() const {}
};

class timeout_test : public testing::Test {
 protected:
  node::home home_;
  node* made_ = node::make(home_, time_point(5), nothing{});
  handle handle_ = handle::adopt(made_);
};

TEST_F(timeout_test, is_made_by_one_allocation_and_freed_by_the_last_reference) {
  EXPECT_EQ(counting_platform::count([&] {
              node* const one = node::make(home_, time_point(0), nothing{});
              one->release();
              one->release();
            }),
            (access_counts{.rmws = 2, .allocations = 1, .deallocations = 1}));
  made_->release();
}

TEST_F(timeout_test, handles_share_one_timeout) {
  handle copy = handle_;
  EXPECT_EQ(copy, handle_);
  EXPECT_EQ(copy.deadline(), time_point(5));
  handle moved = std::move(copy);
  EXPECT_EQ(moved, handle_);
  EXPECT_FALSE(copy);  // NOLINT: a moved-from handle is empty, and says so
  moved = handle();
  EXPECT_NE(moved, handle_);
  made_->release();
  EXPECT_EQ(counting_platform::count([&] { handle_ = handle(); }).deallocations, 1u);
}

TEST_F(timeout_test, an_empty_handle_answers_false_and_never) {
  handle empty;
  EXPECT_FALSE(empty);
  EXPECT_FALSE(empty.cancel());
  EXPECT_FALSE(empty.is_cancelled());
  EXPECT_FALSE(empty.is_expired());
  EXPECT_EQ(empty.deadline(), never);
  made_->release();
}

TEST_F(timeout_test, a_queued_timeout_is_cancelled_by_one_rmw_and_stays_where_it_is) {
  EXPECT_EQ(counting_platform::count([&] { EXPECT_TRUE(handle_.cancel()); }).rmws, 1u);
  EXPECT_TRUE(handle_.is_cancelled());
  EXPECT_EQ(home_.cancelled.take(), nullptr) << "the queue still has it";
  EXPECT_FALSE(made_->link());
  made_->release();
}

TEST_F(timeout_test, a_linked_timeout_is_cancelled_by_two_rmws_and_handed_back) {
  ASSERT_TRUE(made_->link());
  EXPECT_EQ(counting_platform::count([&] { EXPECT_TRUE(handle_.cancel()); }).rmws, 2u);
  EXPECT_EQ(home_.cancelled.take(), made_);
  EXPECT_FALSE(made_->expire());
  made_->release();
}

TEST_F(timeout_test, cancelled_is_final) {
  ASSERT_TRUE(handle_.cancel());
  EXPECT_FALSE(handle_.cancel());
  EXPECT_FALSE(made_->link());
  EXPECT_FALSE(made_->expire());
  EXPECT_FALSE(made_->cancel_by_stop(timeout_state::queued));
  EXPECT_TRUE(handle_.is_cancelled());
  made_->release();
}

TEST_F(timeout_test, expired_is_final) {
  ASSERT_TRUE(made_->link());
  ASSERT_TRUE(made_->expire());
  EXPECT_FALSE(handle_.cancel());
  EXPECT_FALSE(made_->expire());
  EXPECT_FALSE(made_->cancel_by_stop(timeout_state::linked));
  EXPECT_TRUE(handle_.is_expired());
  EXPECT_FALSE(handle_.is_cancelled());
  made_->release();
}

TEST_F(timeout_test, stop_cancels_from_the_state_it_names_only) {
  EXPECT_FALSE(made_->cancel_by_stop(timeout_state::linked));
  EXPECT_TRUE(made_->cancel_by_stop(timeout_state::queued));
  EXPECT_TRUE(handle_.is_cancelled());
  made_->release();
}

TEST_F(timeout_test, the_cancel_stack_gives_back_the_oldest_first) {
  node* const second = node::make(home_, time_point(0), nothing{});
  ASSERT_TRUE(made_->link() && second->link());
  ASSERT_TRUE(made_->cancel() && second->cancel());
  auto* const first = home_.cancelled.take();
  EXPECT_EQ(first, made_);
  EXPECT_EQ(node::stack::after(*first), second);
  EXPECT_EQ(node::stack::after(*second), nullptr);
  EXPECT_EQ(home_.cancelled.take(), nullptr);
  made_->release();
  second->release();
  second->release();
}

TEST_F(timeout_test, the_task_lives_inside) {
  int runs = 0;
  EXPECT_EQ(counting_platform::count([&] {
              node* const one = node::make(home_, time_point(0), [&runs] { ++runs; });
              one->work().run();
              one->release();
              one->release();
            }).allocations,
            1u);
  EXPECT_EQ(runs, 1);
  made_->release();
}

}  // namespace
}  // namespace racewheel
