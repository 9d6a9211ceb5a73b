import type { Clock } from '../../protocol/clock';
import type { HttpClient } from '../node/http-client';

/** While on, requests wait, as on a cut link. */
export class Silence {
  private readonly waiting = new Set<() => void>();
  private isSilent = false;

  constructor(private readonly clock: Clock) {}

  set isOn(isOn: boolean) {
    this.isSilent = isOn;
    if (!isOn) for (const end of [...this.waiting]) end();
  }

  get isOn(): boolean {
    return this.isSilent;
  }

  /**
   * Wraps a client so that its requests wait during the silence.
   * @param unsent called before a request fails without having been sent
   */
  around(client: HttpClient, unsent: () => void): HttpClient {
    return {
      ask: (asking) =>
        this.isSilent
          ? this.over(asking.timeoutMs, unsent).then(() => client.ask(asking))
          : client.ask(asking),
      close: () => client.close(),
    };
  }

  /** Waits for the end of the silence. @throws Error on time-out */
  private over(timeoutMs: number, unsent: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        stop();
        this.waiting.delete(end);
        resolve();
      };
      const stop = this.clock.after(timeoutMs, () => {
        this.waiting.delete(end);
        unsent();
        reject(new Error(`not sent within ${timeoutMs / 1000} s: the nodes are silent`));
      });
      this.waiting.add(end);
    });
  }
}
