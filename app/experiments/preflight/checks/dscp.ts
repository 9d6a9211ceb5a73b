import { z } from 'zod';
import { askTool, NotKnown, parseToolJson } from '../../../engine/machine/facts';
import { readFirewall } from '../../../engine/machine/firewall';
import { type Line, unknown, warning } from '../../../engine/machine/line';
import { safeParse } from '../../../protocol/safe-parse';
import type { Check } from '../check';

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
  if (shaped.length > 0) {
    const found = `the traffic of ${name} is shaped by ${shaped.join(', ')}`;
    const advice =
      'It holds packets back or drops them on purpose: take it away, unless that is what is tested';
    return warning(found, advice, `tc qdisc del dev ${name} root`, details);
  }
  const rules =
    markingRules === null
      ? 'whether rules here set the mark for precedence (DSCP) cannot be read'
      : markingRules === 0
        ? 'no rule here sets the mark for precedence (DSCP)'
        : `${markingRules} rules here set the mark for precedence (DSCP)`;
  const advice =
    'What the switches do with the mark is seen in their settings alone: clocks first, then sound, then video';
  const queue = queues.length === 0 ? '' : `, and the queue of ${name} is ${queues.join(', ')}`;
  return unknown(`${rules}${queue}`, advice, '', details);
}

const qdiscs = z.array(z.object({ kind: z.string().optional(), dev: z.string().optional() }));

async function queuesOf(name: string): Promise<string[]> {
  const parsed = safeParse(
    qdiscs,
    parseToolJson('tc', await askTool('tc', '-json', 'qdisc', 'show', 'dev', name)),
  );
  if (!parsed.success) throw new NotKnown('tc wrote a list of queues that we do not understand');
  return [...new Set(parsed.data.flatMap(({ kind }) => kind ?? []))];
}

export const dscp: Check = {
  id: 'dscp',
  async run({ interfaceName: name }) {
    const firewall = await readFirewall().catch(() => null);
    const markingRules = firewall?.markingRules ?? null;
    return judgeMarks({ name, queues: await queuesOf(name), markingRules });
  },
};
