# cmake -DNM=nm -DOBJECTS=a.o,b.o [-DONLY=name] -P check_symbols.cmake
#
# Objects that are built for instructions which not every processor has must leave nothing in the program that other
# code could come to use. Fails when one defines a weak function, of which the linker keeps any one for all files, or,
# with ONLY, any global symbol but that.

string(REPLACE "," ";" objects "${OBJECTS}")
if(objects STREQUAL "")
  message(FATAL_ERROR "Expected objects to check but received none.")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix "${object}"
                  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^ ]+) ([A-Za-z]) ")
      continue()
    endif()
    set(name "${CMAKE_MATCH_1}")
    if(CMAKE_MATCH_2 MATCHES "[Wwi]" OR (ONLY AND NOT name STREQUAL ONLY))
      list(APPEND strangers "${name}")
    endif()
  endforeach()
  if(strangers)
    list(JOIN strangers "\n  " text)
    message(FATAL_ERROR "${object} is built for a special processor but lends these functions to all files:\n  ${text}")
  endif()
endforeach()
