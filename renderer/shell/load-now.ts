import { type LoadHistory, loadColumns } from '../engine/load-history';
import { figure } from '../format';

/** What the status bar says of the newest sample; network in units of which 1 Mb/s is `perMbps`. */
export function loadNow(
  history: Pick<LoadHistory, 'now'>,
  perMbps: number,
): Record<'cpu' | 'loopback' | 'wire', string> {
  const now = (column: keyof typeof loadColumns): number | null => history.now(loadColumns[column]);
  const inUnit = (mbps: number | null): string => figure(mbps === null ? null : mbps * perMbps, 1);
  const [wireOut, wireIn] = [now('wireOut'), now('wireIn')];
  return {
    cpu: figure(now('cpuMachine'), 1),
    loopback: inUnit(now('loopback')),
    // One direction alone does not give the sum.
    wire: inUnit(wireOut === null || wireIn === null ? null : wireOut + wireIn),
  };
}
