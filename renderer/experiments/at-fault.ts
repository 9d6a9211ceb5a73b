import type { Fact } from '../../app/facts/fact';
import type { ReasonCode } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { countedRows } from '../../app/facts/row-labels';
import { type Verdict, worseVerdict } from '../../app/facts/verdict';

/** What a chart can show of why a run did not pass: frames that were lost, or the first of these figures that it has. */
export type AtFault = 'lost' | readonly string[];

const cpu = ['sender.cpuMaxPercent', 'receiver.cpuMaxPercent'];
const gpu = ['sender.gpuMaxPercent', 'receiver.gpuMaxPercent'];

const byCode: Partial<Record<ReasonCode, (data: Fact['data']) => AtFault>> = {
  'frames-missed': () => 'lost',
  'frames-lost': () => 'lost',
  'frames-unreported': () => 'lost',
  'frames-missing': () => 'lost',
  outage: () => 'lost',
  'no-first-frame': () => 'lost',
  'streams-not-passed': ({ missed, lost, stalls }) =>
    !missed && !lost && stalls ? ['longestGapMs'] : 'lost',
  stalls: () => ['longestGapMs'],
  'pictures-late': () => ['framesLateSource'],
  'busy-baseline': () => cpu,
  'others-busy': ({ isGpu }) => (isGpu ? gpu : cpu),
  'cpu-stolen': () => cpu,
};
const known = new Map(Object.entries(byCode));

/** Of the first reason of the worst rows that a chart can show; null: all passed, or no chart shows why they did not. */
export function atFault(rows: readonly Pick<Row, 'label' | 'verdict' | 'reason'>[]): AtFault | null {
  const counted = countedRows(rows);
  const worst = counted.reduce<Verdict>((so, { verdict }) => worseVerdict(so, verdict ?? 'PASS'), 'PASS');
  if (worst === 'PASS') return null;
  const reasons = counted.filter(({ verdict }) => verdict === worst).flatMap(({ reason }) => reason);
  const shown = reasons.map(({ code, data }) => known.get(code)?.(data)).find((fault) => fault !== undefined);
  return shown ?? null;
}
