// Depth first over all choices: the reference that other searches are compared with.
#include <vector>

#include "explore/hash_set.hpp"
#include "explore/strategy.hpp"

namespace racewheel::explore {

namespace {

/// An execution is cut where it meets a graph that was met before. Equal graphs mean equal states:
/// what a thread does next follows from what its events read, and what the model allows follows
/// from the graph; so the future was searched already.
class dfs final : public strategy {
 public:
  bool start() override {
    depth_ = 0;
    if (!started_) {
      started_ = true;
      return true;
    }
    while (!path_.empty() && path_.back().option + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().option;
    return true;
  }

  std::uint32_t choose(const choice& c) override {
    if (depth_ < path_.size()) return path_[depth_++].option;
    if (c.kind == choice_kind::thread && !met_.insert(c.state.graph_hash())) return prune;
    path_.push_back({0, static_cast<std::uint32_t>(c.options.size())});
    ++depth_;
    return 0;
  }

 private:
  struct node {
    std::uint32_t option;
    std::uint32_t count;
  };

  bool started_ = false;
  std::size_t depth_ = 0;
  std::vector<node> path_;
  hash_set met_;
};

}  // namespace

std::unique_ptr<strategy> make_dfs(const options& /*o*/) { return std::make_unique<dfs>(); }

}  // namespace racewheel::explore
