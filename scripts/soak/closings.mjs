import { figure, median, printFigures } from '../bench/figures.mjs';
import { setUp } from '../setup/index.mjs';
import { note, step } from '../setup/report.mjs';
import { buildAddons, closeUnder, closingsSeed } from '../test/closings.mjs';

const msPerClosing = 300;
/** The last of the looks against as many after the first quarter, when pools and caches are full. */
const looks = 10;
const allowedMb = { 'test-asan': 30, 'test-tsan': 60 };

/** Closes so many handles under load with each sanitizer. Resolves to whether nothing was found and no memory is left. */
export async function soakClosings({ closings }) {
  await setUp(['test']);
  await buildAddons();
  const seed = closingsSeed();
  let holds = true;
  for (const kind of Object.keys(allowedMb)) {
    const memory = [];
    const found = await step('soak', `${closings} closings under ${kind}`, (onProgress) =>
      closeUnder(kind, { seed, closings, edges: false, timeoutMs: closings * msPerClosing }, (look) => {
        if (look.closed === undefined) return;
        memory.push(look);
        onProgress(`${look.closed} closed, ${Math.round(look.residentMb)} MB`);
      }),
    );
    if (found !== null) {
      note('soak', `${kind}: ${found}`);
      holds = false;
      continue;
    }
    const figures = growthFigures(kind, memory);
    printFigures(figures);
    holds = figures.every(({ met }) => met) && holds;
  }
  return holds;
}

function growthFigures(kind, memory) {
  const from = Math.floor(memory.length / 4);
  const [first, last] = [memory.slice(from, from + looks), memory.slice(-looks)];
  const grown = (held) => median(last.map(held)) - median(first.map(held));
  const residentMb = grown((look) => look.residentMb);
  return [
    figure({ id: `closings.${kind}.resident`, unit: 'MB', value: residentMb, atMost: allowedMb[kind] }),
    figure({ id: `closings.${kind}.heap`, unit: 'MB', value: grown((look) => look.heapMb), atMost: 5 }),
  ];
}
