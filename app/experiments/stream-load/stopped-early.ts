import { z } from 'zod';
import type { Row } from '../../facts/row';
import { numberOf, streamsOf } from '../../facts/row-figures';
import { countedRows } from '../../facts/row-labels';
import type { Run } from '../../facts/run';
import type { StoppedEarly } from '../declaration';
import { repeatMetrics } from './metrics';

/** Why a ramp measured fewer streams than it was set to, out of what it recorded. */

const rampSchema = z.object({
  maxStreams: z.number(),
  refine: z.boolean().catch(false),
  stopOn: z.array(z.string()).catch([]),
});

type Ramp = z.infer<typeof rampSchema>;

/** Null: the ramp reached the most streams that it was set to. */
export function stoppedRamp(run: Pick<Run, 'parameters' | 'rows' | 'state'>): StoppedEarly | null {
  const ramp = rampSchema.safeParse(run.parameters).data;
  if (!ramp || run.state === 'running') return null;
  // A ramp goes on after a single repeat, whatever that came to.
  const rows = countedRows(run.rows).filter((row) => numberOf(row, repeatMetrics.repeat) === null);
  const reached = Math.max(0, ...rows.map((row) => streamsOf(row) ?? 0));
  if (reached >= ramp.maxStreams || rows.length === 0) return null;
  const stopping = rows.flatMap((row) => whyStopped(row, ramp) ?? []);
  return { reached, maxStreams: ramp.maxStreams, why: stopping[0] ?? '' };
}

/** Why the ramp did not go on after this row; null: it did, or no row may say it. */
function whyStopped(row: Row, { refine, stopOn }: Ramp): string | null {
  const { index, verdict, figures, reason, subjects } = row;
  const name = `row ${index}`;
  const has = (...codes: string[]): boolean => reason.some(({ code }) => codes.includes(code));
  if (has('ended-early', 'ended-late')) return `${name} was ended early`;
  if (figures.senderMissed === true && verdict !== 'INVALID' && stopOn.includes('sender-miss'))
    return `the sender missed frames in ${name}`;
  if (verdict === 'FAIL' && stopOn.includes('fail')) return `${name} is FAIL`;
  if (verdict === 'INVALID' && stopOn.includes('invalid')) return `${name} is INVALID`;
  if (subjects.some((stream) => stream.figures.connectMs === null)) return `not every stream came in ${name}`;
  return refine && (verdict === 'FAIL' || verdict === 'WARN') && subjects.length > 0
    ? `${name} is ${verdict}`
    : null;
}
