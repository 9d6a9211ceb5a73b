/** Bytes that look random and are the same each time: a linear congruential generator, its upper bits. */
export function randomBytes(count, seed) {
  const bytes = new Uint8Array(count);
  let state = seed >>> 0;
  for (let index = 0; index < count; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
