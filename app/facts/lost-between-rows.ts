import { z } from 'zod';
import { frames as framesText } from './count-words';
import { lossSchema, outageSchema } from './loss';
import { lossText, outageText } from './loss-words';
import { wallTimeSchema } from './wall-time';

/** What a stream lost while no row was measured. No row counts it, and no verdict. */
export const lostBetweenRowsSchema = z.object({
  /** Name of the stream. */
  stream: z.string(),
  streamId: z.string(),
  /** The time between the rows in which the stream was counted, as ISO 8601 wall time. */
  from: wallTimeSchema,
  to: wallTimeSchema,
  /** Lost, or not sent. */
  frames: z.int().nonnegative(),
  /** The first 200 of them, each with its time and cause. */
  losses: z.array(lossSchema),
  outages: z.array(outageSchema),
});

export type LostBetweenRows = z.infer<typeof lostBetweenRowsSchema>;

/** What was lost between rows in all. */
export class SumBetweenRows {
  private notSubmitted = 0;
  private lost = 0;
  /** Beyond the losses that are listed: it is not known which of the two they are. */
  private unlisted = 0;

  static of(all: readonly Counted[]): SumBetweenRows {
    const sum = new SumBetweenRows();
    for (const one of all) sum.add(one);
    return sum;
  }

  add({ frames, losses }: Counted): void {
    const sumOf = (isSenders: boolean): number =>
      losses.reduce((sum, loss) => sum + ((loss.stage === 'sender') === isSenders ? loss.frames : 0), 0);
    const [notSubmitted, lost] = [sumOf(true), sumOf(false)];
    this.notSubmitted += notSubmitted;
    this.lost += lost;
    this.unlisted += Math.max(0, frames - notSubmitted - lost);
  }

  /** "between rows 12 frames were lost, and the sender did not submit 1 frame"; empty if there was nothing. */
  get text(): string {
    const { notSubmitted, lost, unlisted } = this;
    const were = (count: number): string => `${framesText(count)} ${count === 1 ? 'was' : 'were'}`;
    const parts = [
      lost > 0 && `${were(lost)} lost`,
      unlisted > 0 && `${were(unlisted)} lost or not submitted`,
      notSubmitted > 0 && `the sender did not submit ${framesText(notSubmitted)}`,
    ].filter((part) => part !== false);
    return parts.length === 0 ? '' : `between rows ${parts.join(', and ')}`;
  }
}

type Counted = Pick<LostBetweenRows, 'frames' | 'losses'>;

const mostSaid = 3;

/** The same of one stream, with the first of its losses. */
export function lostBetweenRowsText({ stream, outages, losses, frames }: LostBetweenRows): string {
  const said = [...losses.map(lossText), ...outages.map(outageText)];
  const left = said.length - mostSaid;
  const which = [...said.slice(0, mostSaid), ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
  const what = SumBetweenRows.of([{ frames, losses }]).text || 'no picture between rows';
  return `${stream}: ${what}${which && `: ${which}`}`;
}
