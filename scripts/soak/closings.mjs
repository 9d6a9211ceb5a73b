import { figure, median, printFigures } from '../bench/figures.mjs';
import { setUp } from '../setup/index.mjs';
import { step } from '../setup/report.mjs';
import { buildSanitized, closeUnder, closingsSeed, sanitizedKinds } from '../test/closings.mjs';

const msPerClosing = 300;
/** The last of the looks against as many after the first quarter, when pools and caches are full. */
const looks = 10;
const allowedMb = 10;

/**
 * Closes `closings` handles under load, in an ordinary build, then under each sanitizer. Resolves to whether nothing was found and no
 * memory is left. A sanitizer keeps something of each thread that has ended, so memory is judged without one.
 */
export async function soakClosings({ closings }) {
  await setUp(['test']);
  await buildSanitized();
  const seed = closingsSeed();
  const memory = [];
  let holds = true;
  for (const kind of ['an ordinary build', ...sanitizedKinds]) {
    const found = await step('soak', `${closings} closings under ${kind}`, (onProgress) =>
      closeUnder(kind, { seed, closings, edges: false, timeoutMs: closings * msPerClosing }, (look) => {
        if (kind === 'an ordinary build') memory.push(look);
        onProgress(`${look.closed} closed, ${Math.round(look.residentMb)} MB`);
      }),
    );
    holds = found === null && holds;
  }
  const figures = growthFigures(memory);
  printFigures(figures);
  return holds && figures.every(({ met }) => met);
}

function growthFigures(memory) {
  const from = Math.floor(memory.length / 4);
  const [first, last] = [memory.slice(from, from + looks), memory.slice(-looks)];
  const growth = (id, held) => {
    const value = median(last.map(held)) - median(first.map(held));
    return figure({ id, unit: 'MB', value, atMost: allowedMb });
  };
  return [
    growth('closings.memory', ({ residentMb }) => residentMb),
    growth('closings.memory-heap', ({ heapMb }) => heapMb),
  ];
}
