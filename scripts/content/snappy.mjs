const hashBits = 14;
const noPosition = -1;
const leastMatch = 4;
const mostMatch = 64;
const mostOffset = 65_535;

/**
 * A Snappy block (google/snappy, format_description.txt): the expanded length as a number of variable length, then
 * literals and copies. Greedy: at each byte the last place with the same four bytes, if it is near enough.
 */
export function snappyCompress(bytes) {
  const output = variableLength(bytes.length);
  const lastPosition = new Int32Array(1 << hashBits).fill(noPosition);
  let literalStart = 0;
  let position = 0;
  while (position + leastMatch <= bytes.length) {
    const slot = hashAt(bytes, position);
    const candidate = lastPosition[slot];
    lastPosition[slot] = position;
    const length = candidate === noPosition ? 0 : matchLength(bytes, candidate, position);
    if (length < leastMatch || position - candidate > mostOffset) {
      position++;
      continue;
    }
    pushLiteral(output, bytes.subarray(literalStart, position));
    pushCopy(output, position - candidate, length);
    position += length;
    literalStart = position;
  }
  pushLiteral(output, bytes.subarray(literalStart));
  return Uint8Array.from(output);
}

function variableLength(value) {
  const output = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) output.push((rest % 128) | 128);
  output.push(rest);
  return output;
}

function hashAt(bytes, position) {
  const word =
    bytes[position] | (bytes[position + 1] << 8) | (bytes[position + 2] << 16) | (bytes[position + 3] << 24);
  return Math.imul(word, 0x1e35a7bd) >>> (32 - hashBits);
}

/** Copies may reach into what they are writing, so the two places may overlap. */
function matchLength(bytes, candidate, position) {
  const most = Math.min(mostMatch, bytes.length - position);
  let length = 0;
  while (length < most && bytes[candidate + length] === bytes[position + length]) length++;
  return length;
}

function pushLiteral(output, bytes) {
  if (bytes.length === 0) return;
  const count = bytes.length - 1;
  if (count < 60) output.push(count << 2);
  else if (count < 256) output.push(60 << 2, count);
  else if (count < 65_536) output.push(61 << 2, count & 255, count >> 8);
  else output.push(62 << 2, count & 255, (count >> 8) & 255, count >> 16);
  for (const byte of bytes) output.push(byte);
}

/** Short and near in two bytes, others in three. */
function pushCopy(output, offset, length) {
  if (length < 12 && offset < 2048) {
    output.push(1 | ((length - 4) << 2) | ((offset >> 8) << 5), offset & 255);
  } else {
    output.push(2 | ((length - 1) << 2), offset & 255, offset >> 8);
  }
}
