import { shell } from '../engine/connection';
import type { RefreshCounter } from './refresh-counter';

const exchangeEveryMs = 1000;

/** Counts by the rate that main keeps for the display, and gives it what this window measures. Returns how to end it. */
export function shareDisplayRate(counter: RefreshCounter): () => void {
  const exchange = async (): Promise<void> => {
    const hz = await shell.shareRefresh(counter.tickHz);
    counter.displayHz = hz > 0 ? hz : null;
  };
  void exchange();
  const timer = setInterval(() => void exchange(), exchangeEveryMs);
  return () => clearInterval(timer);
}
