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

/** "12 frames lost while no row was measured"; empty if none was. */
export function betweenRowsText(frames: number): string {
  return frames === 0 ? '' : `${framesText(frames)} lost while no row was measured`;
}

const mostSaid = 3;

/** The same of one stream, with the first of its losses. */
export function lostBetweenRowsText({ stream, frames, losses, outages }: LostBetweenRows): string {
  const said = [...losses.map(lossText), ...outages.map(outageText)];
  const left = said.length - mostSaid;
  const which = [...said.slice(0, mostSaid), ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
  const what = betweenRowsText(frames) || 'no picture while no row was measured';
  return `${stream}: ${what}${which && `: ${which}`}`;
}
