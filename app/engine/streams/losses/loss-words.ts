import { causesText } from '../../../facts/cause-words';
import { frames } from '../../../facts/count-words';
import type { Cause } from './causes';
import type { LossFacts } from './loss-facts';

export type LossTextFacts = Pick<
  LossFacts,
  'stage' | 'frames' | 'queued' | 'rows' | 'fromNs' | 'toNs' | 'streams' | 'streamsTogether'
>;

/** What happened, its causes, and which streams, as one sentence. */
export function lossText(
  facts: LossTextFacts,
  causes: readonly Cause[],
  clock: (ns: number) => string,
): string {
  const parts = [whatHappened(facts, clock), causesText([causes]), together(facts)];
  return parts.filter(Boolean).join('; ');
}

function whatHappened(facts: LossTextFacts, clock: (ns: number) => string): string {
  const { queued, stage, rows } = facts;
  const one = facts.frames === 1;
  const times = one ? `at ${clock(facts.fromNs)}` : `between ${clock(facts.fromNs)} and ${clock(facts.toNs)}`;
  const when = `${times} UTC`;
  const where = rows ? ` (picture rows ${rows.first} to ${rows.last})` : '';
  const were = one ? 'was' : 'were';
  const queuedToo = queued > 0 ? `, ${queued} of them since they were not fetched in time` : '';
  const what = {
    sender: `${were} not submitted`,
    'receiver-queue':
      queued < facts.frames
        ? `${were} submitted and never arrived, ${queued} of them not fetched from the transport’s queue in time`
        : `${were} submitted and not fetched from the transport’s queue in time`,
    transport: `${were} submitted and never arrived${queuedToo}`,
    'transport-or-queue': `${were} submitted and never arrived; the transport does not report whether its receiver’s queue dropped them`,
    undecodable: 'arrived, but without a code that can be read',
    missing: 'never arrived; the sender does not report whether it sent them',
    'wrong-size': 'arrived in another size than sent',
    torn: `arrived torn, two frames in one picture${where}`,
    stale: `arrived with rows of another frame${where}`,
    damaged: `arrived damaged: ${rows ? `the white line is absent${where}` : 'one of the two strips of the code cannot be read'}`,
    discoloured: `arrived with other colours than sent${where}`,
    dimmed: 'arrived with less than 60 % of their contrast',
    mislabelled: 'arrived with the label or the timecode of another frame',
  }[stage];
  const singular = what
    .replace('sent them', 'sent it')
    .replace('dropped them', 'dropped it')
    .replace('of their contrast', 'of its contrast');
  return `${frames(facts.frames)} ${when} ${one ? singular : what}`;
}

function together({ streams, streamsTogether }: LossTextFacts): string {
  if (streams < 2) return '';
  if (streamsTogether === 1)
    return `on this stream alone, ${streams === 2 ? 'the other one' : `the other ${streams - 1}`} lost nothing then`;
  const which = streamsTogether === streams ? `all ${streams}` : `${streamsTogether} of ${streams}`;
  return `on ${which} streams at once: check what they share`;
}
