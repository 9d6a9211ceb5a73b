import type { StreamView } from '../../protocol/console';

type Seen = Pick<StreamView, 'lostNow' | 'lossesNotMeasured' | 'framesInOutages' | 'deliveredFps'>;

/** Lost frames of all streams in the newest full second, or why that is not measured. */
export type LostPerSecond = { frames: number } | { reason: string };

export function lostPerSecond(views: readonly Seen[]): LostPerSecond {
  if (views.length === 0) return { reason: 'no stream is followed' };
  if (views.some(isInOutage))
    return { reason: 'a stream has an outage, whose lost frames are only estimated' };
  const counted = views.filter(({ deliveredFps }) => deliveredFps !== null);
  if (counted.length === 0) return { reason: 'no stream was counted for a second yet' };
  const unknown = counted.find(({ lostNow }) => lostNow === null);
  if (unknown) return { reason: `losses of a stream are not measured: ${unknown.lossesNotMeasured}` };
  return { frames: counted.reduce((total, { lostNow }) => total + (lostNow ?? 0), 0) };
}

function isInOutage({ framesInOutages, deliveredFps }: Seen): boolean {
  return framesInOutages !== null && !deliveredFps;
}
