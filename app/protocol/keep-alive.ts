import type { Clock } from './clock';
import { keepAliveMs, mostKeepAlivesMissed } from './host';

/**
 * Ends this host where its agent is stopped or hangs: the channel between them stays open then, and no console commands the host.
 * Hosts of a console hear no keep-alive, and go on.
 */
export class KeepAlive {
  private missed = 0;
  private isWatching = false;

  constructor(
    private readonly clock: Pick<Clock, 'every'>,
    private readonly onSilent: () => void,
  ) {}

  hear(): void {
    this.missed = 0;
    if (this.isWatching) return;
    this.isWatching = true;
    // Counted and not timed: a host that stood still itself reads what waits for it before it counts again.
    const stop = this.clock.every(keepAliveMs, () => {
      if (++this.missed <= mostKeepAlivesMissed) return;
      stop();
      this.onSilent();
    });
  }
}
