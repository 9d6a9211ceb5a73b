#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace whiteline {

/**
 * Commands to the kernel's nf_tables over one connection, by libnftables, which is loaded when it is first
 * needed. A table with `flags owner` belongs to the connection: no other program can change it, and it goes
 * with it.
 */
class Nftables {
 public:
  enum class Refusal { kNone, kNoLibrary, kNoKernelSupport, kNoFileDescriptor };

  struct Answer {
    bool isDone = false;
    /** What a command lists, or why it was not done. */
    std::string text;
  };

  /** Null with the reason. */
  static std::unique_ptr<Nftables> connect(Refusal& refusal);

  ~Nftables();
  Nftables(const Nftables&) = delete;
  Nftables& operator=(const Nftables&) = delete;

  /** All of the commands, or none of them. */
  Answer run(const std::string& commands);

 private:
  explicit Nftables(void* context) : context_(context) {}

  void* context_;
};

}  // namespace whiteline
