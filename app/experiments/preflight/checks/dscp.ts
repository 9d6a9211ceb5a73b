import { z } from 'zod';
import { windowsBooks } from '../../../engine/load/windows-books';
import { askTool, parseToolJson } from '../../../engine/machine/facts';
import { readFirewall } from '../../../engine/machine/firewall';
import { notAskedOfWindows } from '../../../engine/machine/windows-hardware';
import { safeParse } from '../../../protocol/safe-parse';
import { type Check, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, unknown, warning } from '../line';
import { lined } from '../shared-reasons';

export interface MarkFacts {
  name: string;
  /** How the interface's queue is kept, as tc names it. */
  queues: string[];
  /** Rules of this machine that set the mark; null: the rules cannot be read. */
  markingRules: number | null;
}

/** Queues that hold traffic back, or throw it away on purpose. */
const shaping = ['tbf', 'htb', 'netem', 'hfsc', 'cake'];

export function judgeMarks(facts: MarkFacts): Line {
  const { name, queues, markingRules } = facts;
  const details = { ...facts };
  const shaped = queues.filter((queue) => shaping.includes(queue));
  if (shaped.length > 0) return warning(foundOf('traffic-shaped', { name, queues: lined(shaped) }), details);
  return unknown(foundOf('marks-elsewhere', { name, queues: lined(queues), markingRules }), details);
}

const qdiscs = z.array(z.object({ kind: z.string().optional(), dev: z.string().optional() }));

async function queuesOf(name: string): Promise<string[]> {
  const parsed = safeParse(
    qdiscs,
    parseToolJson('tc', await askTool('tc', '-json', 'qdisc', 'show', 'dev', name)),
  );
  if (!parsed.success) throw new NotFoundOut(foundOf('queues-not-understood'));
  return [...new Set(parsed.data.flatMap(({ kind }) => kind ?? []))];
}

export const dscp: Check = {
  id: 'dscp',
  async run({ interfaceName: name }) {
    if (windowsBooks()) notAskedOfWindows();
    const firewall = await readFirewall().catch(() => null);
    const markingRules = firewall?.markingRules ?? null;
    return judgeMarks({ name, queues: await queuesOf(name), markingRules });
  },
};
