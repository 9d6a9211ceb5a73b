#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "native/base/platform/error.h"
#include "native/helpers/pacer/receiving_role.h"
#include "native/helpers/pacer/sending_role.h"
#include "native/helpers/shared/helper.h"

/** Sends the packets of one audio stream by a schedule, or measures when they come
 * (docs/experiments/pacing.md). */

namespace whiteline::pacer {
namespace {

using helpers::Command;
using helpers::Helper;
using helpers::Message;
using helpers::MessageError;

/** As text: a number of JSON has no room for all of its digits. Empty: there is none. */
std::optional<int64_t> optionalTime(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return std::stoll(text);
}

class Pacer {
 public:
  void run() {
    helper_.run(Message("ready"), [this](const Command& command) {
      try {
        carryOut(command);
      } catch (const MessageError&) {
        throw;
      } catch (const std::exception& error) {
        helper_.send(Message("failed").text("text", error.what()));
      }
    });
  }

 private:
  void carryOut(const Command& command) {
    const std::string& type = command.type();
    if (type == "prepare") {
      sending_ = std::make_unique<SendingRole>(helper_, command);
    } else if (type == "listen") {
      receiving_ = std::make_unique<ReceivingRole>(helper_, command);
    } else if (type == "begin" && sending_) {
      sending_->begin(std::stoll(command.text("startNs")));
    } else if (type == "begin" && receiving_) {
      receiving_->begin({.startNs = optionalTime(command.text("startNs")),
                         .senderStartNs = optionalTime(command.text("senderStartNs")),
                         .address = command.text("senderAddress"),
                         .port = static_cast<uint16_t>(command.number("senderPort"))});
    } else if (type == "held" && receiving_) {
      receiving_->exclude(command.text("windows"), static_cast<int64_t>(command.number("untilNs")));
    } else if (type == "finish" && receiving_) {
      std::optional<int64_t> sent;
      if (!command.isNull("sent")) sent = static_cast<int64_t>(command.number("sent"));
      receiving_->finish(sent);
    } else {
      throw MessageError("Expected a command of this role but received " + type);
    }
  }

  Helper helper_;
  std::unique_ptr<SendingRole> sending_;
  std::unique_ptr<ReceivingRole> receiving_;
};

/** What the kernel says of an interface. @throws Error BAD_INTERFACE if there is none of this name */
std::string factsOf(const std::string& name) {
  const NetworkCard card = networkCard(name);
  const std::optional<LaunchQueue> queue = launchQueueOf(card.index);
  Message message("interface");
  message.flag("isUp", card.isUp).flag("hasCarrier", card.hasCarrier).flag("isEthernet", card.isEthernet);
  message.number("mtuBytes", card.mtuBytes).flag("stampsInHardware", card.stampsInHardware);
  message.number("speedMbps", card.speedMbps ? static_cast<double>(*card.speedMbps) : NAN);
  message.text("launchQueue", queue ? queue->kind : "").flag("mayUseRawFrames", mayUseRawFrames());
  return message.line();
}

/** As one line. */
void inspect(const std::string& name) {
  std::string line;
  try {
    line = factsOf(name);
  } catch (const Error& error) {
    if (error.code() != "BAD_INTERFACE") throw;
    line = Message("no-interface").line();
  }
  std::fputs(line.c_str(), stdout);
}

}  // namespace
}  // namespace whiteline::pacer

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--inspect") {
      whiteline::pacer::inspect(argv[2]);
    } else {
      whiteline::pacer::Pacer().run();
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
