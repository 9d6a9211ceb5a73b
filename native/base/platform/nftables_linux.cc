#if defined(__linux__)
#include "native/base/platform/nftables_linux.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "native/base/platform/dynamic_library.h"

namespace whiteline {
namespace {

/** What nftables/libnftables.h declares: to build without that header needs one package less. */
struct NftablesLibrary {
  void* (*create)(uint32_t flags) = nullptr;
  void (*release)(void* context) = nullptr;
  int (*bufferOutput)(void* context) = nullptr;
  int (*bufferErrors)(void* context) = nullptr;
  const char* (*output)(void* context) = nullptr;
  const char* (*errors)(void* context) = nullptr;
  int (*run)(void* context, const char* commands) = nullptr;

  bool load() {
    static const DynamicLibrary library("libnftables.so.1");
    const auto find = [](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(library.symbol(name));
      return function != nullptr;
    };
    return find(create, "nft_ctx_new") && find(release, "nft_ctx_free") &&
           find(bufferOutput, "nft_ctx_buffer_output") && find(bufferErrors, "nft_ctx_buffer_error") &&
           find(output, "nft_ctx_get_output_buffer") && find(errors, "nft_ctx_get_error_buffer") &&
           find(run, "nft_run_cmd_from_buffer");
  }
};

const NftablesLibrary* nftablesLibrary() {
  static NftablesLibrary functions;
  static const bool isLoaded = functions.load();
  return isLoaded ? &functions : nullptr;
}

/** The library ends the process where it cannot open its socket: so it is tried before, with one to spare. */
Nftables::Refusal tryToOpenSockets() {
  int sockets[2] = {-1, -1};
  int error = 0;
  for (int& one : sockets) {
    one = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
    if (one < 0) error = errno;
  }
  for (const int one : sockets) {
    if (one >= 0) close(one);
  }
  if (error == 0) return Nftables::Refusal::kNone;
  const bool isFull = error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
  return isFull ? Nftables::Refusal::kNoFileDescriptor : Nftables::Refusal::kNoKernelSupport;
}

/** A program that this process starts would inherit the library's socket, and keep the table when this
 * process is gone. */
void closeNetlinkInPrograms() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const int file = std::atoi(entry->d_name);
    int domain = 0;
    int protocol = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0 || domain != AF_NETLINK) continue;
    length = sizeof protocol;
    if (getsockopt(file, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) != 0) continue;
    if (protocol == NETLINK_NETFILTER) fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  closedir(folder);
}

}  // namespace

std::unique_ptr<Nftables> Nftables::connect(Refusal& refusal) {
  refusal = tryToOpenSockets();
  if (refusal != Refusal::kNone) return nullptr;
  const NftablesLibrary* library = nftablesLibrary();
  refusal = Refusal::kNoLibrary;
  if (library == nullptr) return nullptr;
  void* context = library->create(0);
  if (context == nullptr) return nullptr;
  refusal = Refusal::kNone;
  closeNetlinkInPrograms();
  library->bufferOutput(context);
  library->bufferErrors(context);
  return std::unique_ptr<Nftables>(new Nftables(context));
}

Nftables::~Nftables() {
  nftablesLibrary()->release(context_);
}

Nftables::Answer Nftables::run(const std::string& commands) {
  const NftablesLibrary* library = nftablesLibrary();
  const bool isDone = library->run(context_, commands.c_str()) == 0;
  const char* text = isDone ? library->output(context_) : library->errors(context_);
  return {isDone, text != nullptr ? text : ""};
}

}  // namespace whiteline
#endif
