import { appVersion } from '../engine/sessions/environment';
import { metricsAddressOf } from '../metrics/address';
import { ConsoleFacts } from '../metrics/console-facts';
import type { Facts } from '../metrics/facts';
import type { ServedMetrics } from '../metrics/serve-metrics';
import { toProblem } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { appFolder } from './app-folder';
import { printProblem } from './finishing';

export interface MetricsFlag {
  metrics?: string;
}

export const metricsFlag = [
  '--metrics <address>',
  'serves metrics for Prometheus at a port of 127.0.0.1, or at ADDRESS:PORT; port 0 picks a free one; default: none',
] as const;

/** What a console's command measures now, served where `--metrics` asks for it. */
export class OwnMetrics {
  private readonly facts = new ConsoleFacts(machineClock, appVersion(appFolder));
  private served: ServedMetrics | null = null;

  /**
   * @param say prints a line for people
   * @throws WhitelineError BAD_INPUT, NAME_IN_USE for an address that cannot be listened on
   */
  static async open(typed: string | undefined, say: (line: string) => void): Promise<OwnMetrics> {
    const own = new OwnMetrics();
    own.served = await openMetrics(typed, () => own.facts.read(), say);
    return own;
  }

  /** From now on it is this; null: nothing is measured. */
  show(source: Parameters<ConsoleFacts['show']>[0]): void {
    this.facts.show(source);
  }

  async close(): Promise<void> {
    await this.served?.close();
  }
}

/** Null without the flag. @throws WhitelineError as `OwnMetrics.open` */
export async function openMetrics(
  typed: string | undefined,
  facts: () => Facts,
  say: (line: string) => void,
): Promise<ServedMetrics | null> {
  if (typed === undefined) return null;
  const address = metricsAddressOf(typed, 'metrics');
  // Its code is not run without the flag.
  const { serveMetrics } = await import('../metrics/serve-metrics');
  const served = await serveMetrics({
    ...{ address, setBy: '--metrics', clock: machineClock, facts },
    onProblem: (error) => printProblem(toProblem(error)),
  });
  say(`Metrics: ${served.url}`);
  return served;
}
