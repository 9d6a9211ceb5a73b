import { isFullOfOthers, isRecorded, leadingCause } from '../../engine/streams/losses/causes';
import { counted } from '../../facts/count-words';
import type { Fact } from '../../facts/fact';
import type { Loss, LossStage } from '../../facts/loss';
import { lossText } from '../../facts/loss-words';
import { wordsOf } from '../../facts/reason-words';
import { hostsWith, numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';

/** What lost the frames of a row; none: nothing did, or it is not known. */
type Limit =
  | 'injected'
  | 'recorded'
  | 'sender'
  | 'held-up'
  | 'receiver'
  | 'others'
  | 'cpu'
  | 'way'
  | 'way-or-queue'
  | 'unconnected'
  | 'none';

const texts: Record<Exclude<Limit, 'none'>, string> = {
  injected: 'all losses were injected',
  recorded: 'something else happened, so no limit is known',
  sender: 'the sender was the limit',
  'held-up': 'the transport’s send call did not return in time',
  receiver: 'the receiver was the limit',
  others: 'other programs used up the CPU',
  cpu: 'the CPU was the limit',
  way: 'the frames were lost on the way from sender to receiver',
  'way-or-queue': 'the frames were lost on the way or in the receiver’s queue',
  unconnected: 'not every stream came through',
};

/** Why a row is not clean, as a sentence from its records. */
export function limitText(row: StreamsRow): string {
  const limit = limitOf(row);
  const loss = limit === 'none' || limit === 'unconnected' ? null : largestLoss(row);
  const own = wordsOf(row.reason);
  const reason = loss ? `${own}; its largest loss: ${lossText(loss)}` : own;
  const who = limit === 'none' ? '' : `, ${texts[limit]}${limit === 'receiver' ? cpuText(row) : ''}`;
  return `${withStreams(row)}${who}: ${reason}`;
}

/** Which row of a ramp a sentence is of. */
export function withStreams({ step }: StreamsRow): string {
  return step.streams === 0 ? 'without a stream' : `with ${counted(step.streams, 'stream')}`;
}

function limitOf(row: StreamsRow): Limit {
  const { figures, subjects, verdict } = row;
  if (verdict === 'INVALID') return 'none';
  if (subjects.some((stream) => stream.figures.connectMs === null)) return 'unconnected';
  const losses = subjects.flatMap((stream) => stream.losses);
  if (losses.length > 0 && losses.every(({ causes = [] }) => isWhollyInjected(causes))) return 'injected';
  const queue = figures.framesDroppedReceiverQueue ?? 0;
  const transport = figures.framesDroppedTransport ?? 0;
  const behind =
    figures.framesDroppedReceiverQueue === null && (figures.framesDropped ?? 0) > 0
      ? 'transport-or-queue'
      : queue > 0 && queue >= transport
        ? 'receiver-queue'
        : 'transport';
  // The study's red row: what a sender does not send cannot be lost behind it.
  const stage = figures.senderMissed ? 'sender' : behind;
  if (isMostly(row, stage, isRecorded)) return 'recorded';
  if (isMostly(row, stage, isFullOfOthers)) return 'others';
  if (stage === 'sender')
    return isMostlyOf(row, stage, (causes) => causes.some(isBlocked)) ? 'held-up' : 'sender';
  if (stage === 'receiver-queue') return 'receiver';
  if (isMostly(row, stage, ({ code }) => code === 'cpu-full')) return 'cpu';
  if (stage === 'transport-or-queue') return 'way-or-queue';
  return transport > 0 ? 'way' : 'none';
}

/** A cause that has others behind it explains a part of the frames alone. */
function isWhollyInjected([first, ...others]: readonly Fact[]): boolean {
  return first?.code === 'injected' && others.length === 0;
}

function isBlocked({ code }: Fact): boolean {
  return code === 'sdk-send-blocked';
}

/** Whether such a cause comes first of most of the frames that were lost at this stage. */
function isMostly(row: StreamsRow, stage: LossStage, isMeant: (cause: Fact) => boolean): boolean {
  return isMostlyOf(row, stage, (causes) => {
    const leading = leadingCause(causes);
    return leading !== undefined && isMeant(leading);
  });
}

function isMostlyOf(
  { subjects }: StreamsRow,
  stage: LossStage,
  isMeant: (causes: readonly Fact[]) => boolean,
): boolean {
  const lost = subjects.flatMap(({ losses }) => losses.filter((loss) => loss.stage === stage));
  return 2 * framesOf(lost.filter(({ causes = [] }) => isMeant(causes))) > framesOf(lost);
}

function framesOf(losses: readonly Loss[]): number {
  return losses.reduce((total, { frames }) => total + frames, 0);
}

function cpuText(row: StreamsRow): string {
  const cpuMaxPercent = numberOf(row, 'receiver.cpuMaxPercent');
  const machine = hostsWith(row, 'receiver').length > 1 ? 'the busiest receiving' : 'its';
  return cpuMaxPercent === null ? '' : `, ${machine} machine’s CPU at up to ${Math.round(cpuMaxPercent)} %`;
}

function largestLoss({ subjects }: StreamsRow): Loss | null {
  const losses = subjects.flatMap((stream) => stream.losses);
  return losses.reduce<Loss | null>((most, loss) => (loss.frames > (most?.frames ?? 0) ? loss : most), null);
}
