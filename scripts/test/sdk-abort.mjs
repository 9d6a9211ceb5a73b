/** Beside the SDK's own: the C library and the sanitizer that abort. */
const carriers = /^(libc\.so|libtsan\.so|libclang_rt\.)/;

/**
 * Whether an exception of the SDK ended a process under a sanitizer: a thread that the SDK started threw and did not catch it, and
 * no frame of its stack is the addon's. "Invalid argument" is seen, in 2 of 20 runs of 150 closings under ThreadSanitizer beside a
 * full CPU; what in the SDK throws it is not known.
 */
export function isAbortOfSdk(output) {
  if (!output.includes('terminate called after throwing') || output.includes('WARNING: ThreadSanitizer'))
    return false;
  const modules = [...output.matchAll(/^\s*#\d+ .*\((?:\S*\/)?([^\s/]+)\+0x[0-9a-f]+\)/gm)].map(
    ([, name]) => name,
  );
  const others = modules.filter((name) => !carriers.test(name));
  return others.length > 0 && others.every((name) => name.startsWith('libndi.so'));
}
