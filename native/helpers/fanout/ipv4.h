#pragma once

#include <cstdint>
#include <string>

namespace whiteline::fanout {

bool isIpv4(const std::string& address);
/** Whether an IPv4 address is a multicast one. */
bool isGroup(const std::string& address);
/** Most significant byte first. @throws Error BAD_INPUT */
uint32_t ipv4Of(const std::string& text);
/** @param address most significant byte first */
std::string ipv4Text(uint32_t address);

}  // namespace whiteline::fanout
