# What GCC is to compile instead of the choice in Snappy's AdvanceToNextTagX86Optimized: the same choice, as conditional
# moves. Stops when the library's text is another one.

set(snappy_choice
    [=[
  *tag = is_literal ? tag_literal : tag_copy;
  const uint8_t* ip_copy = ip + 1 + tag_type;
  const uint8_t* ip_literal = ip + 2 + literal_len;
  ip = is_literal ? ip_literal : ip_copy;
]=])
set(snappy_choice_moved
    [=[
  const uint8_t* ip_copy = ip + 1 + tag_type;
  const uint8_t* ip_literal = ip + 2 + literal_len;
  asm("test %k[type], %k[type]\n\t"
      "cmovz %[tag_literal], %[tag]\n\t"
      "cmovz %[ip_literal], %[ip]"
      : [tag] "+r"(tag_copy), [ip] "+r"(ip_copy)
      : [type] "r"(tag_type), [tag_literal] "r"(tag_literal), [ip_literal] "r"(ip_literal)
      : "cc");
  *tag = tag_copy;
  ip = ip_copy;
]=])

function(copy_with_conditional_moves source target)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(READ "${source}" text)
  string(FIND "${text}" "${snappy_choice}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "Expected the choice of the next tag in ${source} as conditional_moves.cmake has it. "
                        "Update that file to this version of the library.")
  endif()
  string(REPLACE "${snappy_choice}" "${snappy_choice_moved}" text "${text}")
  set(written "")
  if(EXISTS "${target}")
    file(READ "${target}" written)
  endif()
  if(NOT written STREQUAL text)
    file(WRITE "${target}" "${text}")
  endif()
endfunction()
