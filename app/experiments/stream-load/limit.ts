import { isFullOfOthers, isRecorded } from '../../engine/streams/losses/causes';
import { counted } from '../../facts/count-words';
import type { Fact } from '../../facts/fact';
import { injectedOf } from '../../facts/injected-of';
import { leadingCause } from '../../facts/leading-cause';
import type { Loss, LossStage } from '../../facts/loss';
import { lossText } from '../../facts/loss-words';
import { wordsOf } from '../../facts/reason-words';
import { hostsWith, numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';

/** What lost the frames of a row; none: nothing did, or it is not known. */
type Limit =
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
  const injected = injectedText(row);
  if (injected) return `${withStreams(row)}, ${injected}`;
  const limit = limitOf(row);
  const loss = limit === 'none' || limit === 'unconnected' ? null : largestLoss(row);
  const own = wordsOf(row.reason);
  const reason = loss ? `${own}; its largest loss: ${lossText(loss)}` : own;
  const who = limit === 'none' ? '' : `, ${texts[limit]}${limit === 'receiver' ? cpuText(row) : ''}`;
  const invalid = row.verdict === 'INVALID' ? ' (INVALID)' : '';
  return `${withStreams(row)}${invalid}${who}: ${reason}`;
}

/** Of a row most of whose losses were put in: what was lost beside them is too little to name a limit. */
function injectedText(row: StreamsRow): string | null {
  if (row.verdict === 'INVALID' || isUnconnected(row)) return null;
  const losses = lossesOf(row);
  const [lost, others] = [framesOf(losses), othersOf(losses)];
  if (lost === 0 || 2 * others > lost) return null;
  if (others === 0) return `${allText(losses)} injected on purpose; no limit is proved`;
  const missed = othersOf(losses.filter(({ stage }) => stage === 'sender'));
  const parts = [
    `${lost - others} injected on purpose`,
    ...(missed > 0 ? [`${missed} that the sender missed`] : []),
    ...(others > missed ? [`${others - missed} for another reason`] : []),
  ];
  const loss = largestLoss(row);
  const largest = loss ? `; the largest loss that was not injected: ${lossText(loss)}` : '';
  return `${lost} frames were lost: ${parts.join(', ')}; no limit is proved${largest}`;
}

/** A frame that was not submitted is not lost: the two are said apart. */
function allText(losses: readonly Loss[]): string {
  const all = framesOf(losses);
  const notSubmitted = framesOf(losses.filter(({ stage }) => stage === 'sender'));
  if (notSubmitted === 0) return all === 1 ? 'the only lost frame was' : `all ${all} lost frames were`;
  if (notSubmitted < all)
    return `all ${all} frames (${all - notSubmitted} lost, ${notSubmitted} not submitted) were`;
  return all === 1
    ? 'the only frame that was not submitted was'
    : `all ${all} frames that were not submitted were`;
}

/** Which row of a ramp a sentence is of. */
export function withStreams({ step }: StreamsRow): string {
  return step.streams === 0 ? 'baseline' : `with ${counted(step.streams, 'stream')}`;
}

function limitOf(row: StreamsRow): Limit {
  const { figures, verdict } = row;
  if (verdict === 'INVALID') return 'none';
  if (isUnconnected(row)) return 'unconnected';
  const injectedAt = (stage: LossStage): number => {
    const losses = lossesOf(row).filter((loss) => loss.stage === stage);
    return framesOf(losses) - othersOf(losses);
  };
  const queue = (figures.framesDroppedReceiverQueue ?? 0) - injectedAt('receiver-queue');
  const transport = (figures.framesDroppedTransport ?? 0) - injectedAt('transport');
  const behind =
    figures.framesDroppedReceiverQueue === null && (figures.framesDropped ?? 0) > 0
      ? 'transport-or-queue'
      : queue > 0 && queue >= transport
        ? 'receiver-queue'
        : 'transport';
  // The study's red row: what a sender does not send cannot be lost after it.
  const stage = figures.senderMissed && !isWhollyInjected(row, 'sender') ? 'sender' : behind;
  if (isMostly(row, stage, isRecorded)) return 'recorded';
  if (isMostly(row, stage, isFullOfOthers)) return 'others';
  if (stage === 'sender')
    return isMostlyOf(row, stage, (causes) => causes.some(isBlocked)) ? 'held-up' : 'sender';
  if (stage === 'receiver-queue') return 'receiver';
  if (isMostly(row, stage, ({ code }) => code === 'cpu-full')) return 'cpu';
  if (stage === 'transport-or-queue') return 'way-or-queue';
  return transport > 0 ? 'way' : 'none';
}

function isUnconnected({ subjects }: StreamsRow): boolean {
  return subjects.some((stream) => stream.figures.connectMs === null);
}

/** Whether all that was lost at this stage, and something was. */
function isWhollyInjected(row: StreamsRow, stage: LossStage): boolean {
  const losses = lossesOf(row).filter((loss) => loss.stage === stage);
  return losses.length > 0 && othersOf(losses) === 0;
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
  row: StreamsRow,
  stage: LossStage,
  isMeant: (causes: readonly Fact[]) => boolean,
): boolean {
  const lost = lossesOf(row).filter((loss) => loss.stage === stage);
  return 2 * othersOf(lost.filter(({ causes = [] }) => isMeant(causes))) > othersOf(lost);
}

function lossesOf({ subjects }: StreamsRow): Loss[] {
  return subjects.flatMap((stream) => stream.losses);
}

/** The frames that nobody injected. */
function othersOf(losses: readonly Loss[]): number {
  return losses.reduce((total, loss) => total + loss.frames - injectedOf(loss), 0);
}

function framesOf(losses: readonly Loss[]): number {
  return losses.reduce((total, { frames }) => total + frames, 0);
}

function cpuText(row: StreamsRow): string {
  const cpuMaxPercent = numberOf(row, 'receiver.cpuMaxPercent');
  const machine = hostsWith(row, 'receiver').length > 1 ? 'the busiest receiving' : 'its';
  return cpuMaxPercent === null ? '' : `, ${machine} machine’s CPU at up to ${Math.round(cpuMaxPercent)} %`;
}

/** By the frames that nobody injected; null: there are none. */
function largestLoss(row: StreamsRow): Loss | null {
  return lossesOf(row).reduce<Loss | null>(
    (most, loss) => (othersOf([loss]) > (most ? othersOf([most]) : 0) ? loss : most),
    null,
  );
}
