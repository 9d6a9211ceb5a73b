import type { Fact } from '../../../protocol/fact';
import type { Loss, LossStage } from '../../../protocol/loss';
import { wordsOf } from '../../../protocol/reason-words';
import { numberOf } from '../../../protocol/row-figures';
import type { StreamsRow } from '../../../protocol/stream-row';
import { isFullOfOthers } from '../../streams/losses/causes';

/** What lost the frames of a row; none: nothing did, or it is not known. */
type Limit =
  | 'injected'
  | 'sender'
  | 'held-up'
  | 'receiver'
  | 'others'
  | 'cpu'
  | 'way'
  | 'unconnected'
  | 'none';

const texts: Record<Exclude<Limit, 'none'>, string> = {
  injected: 'the run itself injected all that was lost',
  sender: 'the sender was the limit',
  'held-up': 'the sender had to wait for the receiver or the network',
  receiver: 'the receiver was the limit',
  others: 'other programs on the machine were the limit',
  cpu: 'the CPU was the limit',
  way: 'the way from sender to receiver was the limit',
  unconnected: 'not every stream came through',
};

/** What kept a row from being clean, in plain words, out of its own records. */
export function limitText(row: StreamsRow): string {
  const limit = limitOf(row);
  const loss = limit === 'none' || limit === 'unconnected' ? null : largestLoss(row);
  const own = wordsOf(row.reason);
  const reason = loss ? `${own}; its largest loss: ${loss.text}` : own;
  const who = limit === 'none' ? '' : ` ${texts[limit]}${limit === 'receiver' ? cpuText(row) : ''}`;
  return `${row.step.streams === 0 ? 'without a stream' : `with ${row.step.streams}`}${who}: ${reason}`;
}

function limitOf(row: StreamsRow): Limit {
  const { figures, subjects, verdict } = row;
  if (verdict === 'INVALID') return 'none';
  if (subjects.some((stream) => stream.figures.connectMs === null)) return 'unconnected';
  const losses = subjects.flatMap((stream) => stream.losses);
  if (losses.length > 0 && losses.every(({ causes = [] }) => causes.some(isInjected))) return 'injected';
  // The study's red row: what a sender does not send cannot be lost behind it.
  if (figures.senderMissed) {
    if (isMostly(row, 'sender', isFullOfOthers)) return 'others';
    return isMostly(row, 'sender', ({ code }) => code === 'sdk-send-blocked') ? 'held-up' : 'sender';
  }
  const queue = figures.framesDroppedReceiverQueue ?? 0;
  const transport = figures.framesDroppedTransport ?? 0;
  if (queue > 0 && queue >= transport)
    return isMostly(row, 'receiver-queue', isFullOfOthers) ? 'others' : 'receiver';
  if (isMostly(row, 'transport', isFullOfOthers)) return 'others';
  if (isMostly(row, 'transport', ({ code }) => code === 'cpu-full')) return 'cpu';
  return transport > 0 ? 'way' : 'none';
}

function isInjected({ code }: Fact): boolean {
  return code === 'injected';
}

/** Whether most of the frames that were lost at this stage have such a cause. */
function isMostly({ subjects }: StreamsRow, stage: LossStage, isMeant: (cause: Fact) => boolean): boolean {
  const lost = subjects.flatMap(({ losses }) => losses.filter((loss) => loss.stage === stage));
  return 2 * framesOf(lost.filter(({ causes = [] }) => causes.some(isMeant))) > framesOf(lost);
}

function framesOf(losses: readonly Loss[]): number {
  return losses.reduce((total, { frames }) => total + frames, 0);
}

function cpuText(row: StreamsRow): string {
  const cpuMaxPercent = numberOf(row, 'receiver.cpuMaxPercent');
  return cpuMaxPercent === null ? '' : `, its machine’s CPU at up to ${Math.round(cpuMaxPercent)} %`;
}

function largestLoss({ subjects }: StreamsRow): Loss | null {
  const losses = subjects.flatMap((stream) => stream.losses);
  return losses.reduce<Loss | null>((most, loss) => (loss.frames > (most?.frames ?? 0) ? loss : most), null);
}
