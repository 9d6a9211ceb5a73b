#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "native/helpers/fanout/counting_role.h"
#include "native/helpers/fanout/dds/library.h"
#include "native/helpers/fanout/dds/publishing_role.h"
#include "native/helpers/fanout/dds/subscribing_role.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/own_machine.h"
#include "native/helpers/shared/helper.h"

/** Publishes to, subscribes to, or counts the datagrams of one row of the experiment fan-out; or says what
 * its machine is. */

namespace whiteline::fanout {
namespace {

using helpers::Command;
using helpers::Helper;
using helpers::Message;
using helpers::MessageError;

/** Behind what the system said; empty: nothing is known. */
std::string remedyOf(const std::error_code& problem) {
  if (problem == std::errc::too_many_files_open)
    return ": allow more open files (ulimit -n), or ask for fewer subscribers in a process";
  if (problem == std::errc::resource_unavailable_try_again)
    return ": allow more threads and memory (ulimit -u, ulimit -v), or ask for fewer subscribers in a "
           "process";
  return "";
}

class Fanout {
 public:
  void run() {
    helper_.run(Message("ready"), [this](const Command& command) {
      try {
        carryOut(command);
      } catch (const MessageError&) {
        throw;
      } catch (const std::bad_alloc&) {
        fail("This machine has no memory left for it: ask for fewer subscribers, or free some");
      } catch (const std::system_error& error) {
        fail(std::string(error.what()) + libraryWords() + remedyOf(error.code()));
      } catch (const std::exception& error) {
        fail(error.what());
      }
    });
  }

 private:
  void carryOut(const Command& command) {
    const std::string& type = command.type();
    const bool isNew = !publishing_ && !subscribing_ && !counting_;
    if (type == "inspect" && isNew) {
      reportMachine();
    } else if (type == "publish" && isNew) {
      publishing_ = std::make_unique<PublishingRole>(helper_, command);
    } else if (type == "subscribe" && isNew) {
      subscribing_ = std::make_unique<SubscribingRole>(helper_, command);
    } else if (type == "count" && isNew) {
      counting_ = std::make_unique<CountingRole>(helper_, command);
    } else if (type == "begin" && publishing_) {
      publishing_->begin(MeasuredTime::of(command));
    } else if (type == "begin" && subscribing_) {
      subscribing_->begin(MeasuredTime::of(command));
    } else if (type == "begin" && counting_) {
      counting_->begin(MeasuredTime::of(command));
    } else if (type == "finish" && counting_) {
      counting_->finish();
    } else if (type == "finish" && subscribing_) {
      subscribing_->finish(command);
    } else {
      throw MessageError("Expected a command of this role but received " + type);
    }
  }

  /** The cards first. */
  void reportMachine() {
    for (const Card& card : ownCards())
      helper_.send(Message("card")
                       .text("name", card.name)
                       .text("address", card.address)
                       .number("prefixBits", card.prefixBits)
                       .number("speedMbps", card.speedMbps ? int64_t{*card.speedMbps} : int64_t{-1}));
    const Room room = ownRoom();
    helper_.send(Message("inspected")
                     .text("version", libraryVersion())
                     .number("cores", std::thread::hardware_concurrency())
                     .number("memoryMb", room.memoryMb)
                     .number("threads", room.threads)
                     .number("openFiles", room.openFiles));
  }

  void fail(const std::string& text) { helper_.send(Message("failed").text("text", text)); }

  Helper helper_;
  std::unique_ptr<PublishingRole> publishing_;
  std::unique_ptr<SubscribingRole> subscribing_;
  std::unique_ptr<CountingRole> counting_;
};

/** A participant takes about ten open files, and ordinary limits allow 1024. */
void allowManyFiles() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

/** As one line. */
void inspect() {
  const Message message =
      Message("library").text("version", libraryVersion()).flag("mayUseRawFrames", mayUseRawFrames());
  std::fputs(message.line().c_str(), stdout);
}

}  // namespace
}  // namespace whiteline::fanout

int main(int argc, char** argv) {
  int status = EXIT_SUCCESS;
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--inspect") {
      whiteline::fanout::inspect();
    } else {
      whiteline::fanout::allowManyFiles();
      whiteline::fanout::startLibrary();
      // It is never destroyed: to take a hundred participants apart lasts longer than a row may.
      (new whiteline::fanout::Fanout)->run();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = EXIT_FAILURE;
  }
  std::fflush(stdout);
  std::_Exit(status);
}
