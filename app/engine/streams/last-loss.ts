import type { Loss, LossStage } from '../../facts/loss';
import { lossText, outageTimesText } from '../../facts/loss-words';
import type { StreamView } from '../../protocol/console';
import { isoOf } from '../clock';
import { explainedSilence, type LossContext } from './losses/losses';
import type { Outage } from './outages';
import { recordedOutage } from './rows/outage-judgement';
import type { Stream } from './stream';

/** What a strip says of the newest loss of its stream. */
export type SaidLoss = Pick<StreamView, 'lastLoss' | 'lastLossStage' | 'lastOutageMs'>;

/** Frames that were lost next to each other, in words, and when the last one was over. */
export interface NewestLoss {
  text: string;
  stage: LossStage;
  endedAt: string;
}

export function newestLossOf(loss: Loss): NewestLoss {
  return { text: lossText(loss), stage: loss.stage, endedAt: loss.endedAt };
}

export const nothingSaid: SaidLoss = { lastLoss: '', lastLossStage: null, lastOutageMs: null };

/** Of each stream the outage that was explained last: one that is over is explained once. */
export class OutageWords {
  private readonly explained = new WeakMap<Stream, { sinceNs: number; text: string }>();

  /** The newest of both, by their ends; null: there is neither. */
  newest(
    stream: Stream,
    loss: NewestLoss | null,
    outages: readonly Outage[],
    context: LossContext,
  ): SaidLoss | null {
    const outage = newestOf(outages);
    if (outage && (!loss || isoOf(outage.toNs, context.wallOffsetUs) >= loss.endedAt))
      return {
        lastLoss: this.textOf(stream, outage, context),
        lastLossStage: 'outage',
        lastOutageMs: (outage.toNs - outage.sinceNs) / 1e6,
      };
    return loss && { lastLoss: loss.text, lastLossStage: loss.stage, lastOutageMs: null };
  }

  private textOf(stream: Stream, outage: Outage, context: LossContext): string {
    const known = this.explained.get(stream);
    if (outage.isOver && known?.sinceNs === outage.sinceNs) return known.text;
    const { causes } = explainedSilence(stream, outage, context);
    const { wallOffsetUs } = context;
    const around = { framesPerSecond: stream.framesPerSecond, wallOffsetUs, isOpen: true };
    const text = outageTimesText(recordedOutage({ ...outage, causes }, around));
    if (outage.isOver) this.explained.set(stream, { sinceNs: outage.sinceNs, text });
    return text;
  }
}

/** One whose frames are counted is among the losses. */
function newestOf(outages: readonly Outage[]): Outage | null {
  return outages.reduce<Outage | null>(
    (newest, one) => (one.frames === 0 || (newest && newest.toNs > one.toNs) ? newest : one),
    null,
  );
}
