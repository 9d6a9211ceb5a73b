import type { StreamView } from '../../protocol/console';

type Seen = Pick<StreamView, 'lostNow' | 'framesInOutages' | 'deliveredFps'>;

/** Lost frames of all streams in the newest full second; null without a stream, and in an outage, whose frames are estimates. */
export function lostPerSecond(views: readonly Seen[]): number | null {
  if (views.length === 0 || views.some(isInOutage)) return null;
  return views.reduce((total, { lostNow }) => total + lostNow, 0);
}

function isInOutage({ framesInOutages, deliveredFps }: Seen): boolean {
  return framesInOutages !== null && !deliveredFps;
}
