const levelFlag = '--log-level=3';
const loggingFlags = /^--(log-level|enable-logging|v|vmodule)(=|$)/;

/**
 * Chromium writes lines about buses, drivers and GPUs that are not there, all of which it does without. Only what ends it
 * is written; Whiteline's own errors are none of its. Flags of one's own about it count instead.
 */
export function quietFlags(userArguments) {
  return userArguments.some((argument) => loggingFlags.test(argument)) ? [] : [levelFlag];
}

/** The same for the library that asks for the GPU's video decoder, unless its level is set already. */
export function quietEnvironment(environment = process.env) {
  return { LIBVA_MESSAGING_LEVEL: '0', ...environment };
}
