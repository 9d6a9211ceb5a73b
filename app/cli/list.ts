import { offers } from '../engine/experiment/offers';
import type { ExperimentOffer } from '../protocol/console';
import { exitCodes } from '../protocol/errors';
import { ndiRequirement } from './hosts';
import { linesOf, print, printJson } from './terminal';

/** Names the experiments, and what is missing for them here. */
export async function listCommand({ json }: { json?: boolean }): Promise<number> {
  const all = await offers(ndiRequirement());
  const width = Math.max(...all.map(({ id }) => id.length));
  for (const offer of all) {
    if (json) printJson(offer);
    else print(...listed(offer, width));
  }
  return exitCodes.pass;
}

function listed({ id, title, requirements }: ExperimentOffer, width: number): string[] {
  const missing = requirements.flatMap((requirement) => requirement.missing ?? []);
  const state = missing.length === 0 ? 'ready' : 'not ready';
  const indent = ' '.repeat(width + 13);
  const remedies = missing.flatMap(linesOf).map((line) => indent + line);
  return [`${id.padEnd(width)}  ${state.padEnd(9)}  ${title}`, ...remedies];
}
