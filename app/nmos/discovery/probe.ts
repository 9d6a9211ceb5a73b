import type { Clock } from '../../protocol/clock';
import { type DnsMessage, encodeQuery } from './codec';
import type { Link } from './link';
import type { OwnService } from './own-service';

/** RFC 6762 section 8.1. */
const probes = 3;
const probeIntervalMs = 250;

/** `lost`: another that probes at the same time goes before, RFC 6762 section 8.2. */
export type ProbeOutcome = 'free' | 'taken' | 'lost' | 'cancelled';

/** Asks whether any other has the name of a service, RFC 6762 sections 8.1 and 8.2. */
export class Probe {
  readonly outcome: Promise<ProbeOutcome>;
  private end: (outcome: ProbeOutcome) => void = () => {};
  private sent = 0;
  private stop = (): void => {};

  constructor(
    private readonly link: Link,
    private readonly service: OwnService,
    private readonly clock: Clock,
  ) {
    this.outcome = new Promise((resolve) => {
      this.end = resolve;
    });
    this.step();
  }

  hear({ isResponse, answers, authorities, additionals }: DnsMessage): void {
    if (!isResponse && this.service.yieldsTo(authorities)) this.finish('lost');
    else if (isResponse && this.service.isTaken([...answers, ...additionals])) this.finish('taken');
  }

  cancel(): void {
    this.finish('cancelled');
  }

  private step(): void {
    if (this.sent++ === probes) {
      this.finish('free');
      return;
    }
    const questions = this.service.claimedNames.map((name) => ({
      labels: name.split('.'),
      type: 'ANY' as const,
    }));
    for (const own of this.link.interfaces) {
      const authorities = this.service.records(own.address).filter(({ isFlush }) => isFlush);
      this.link.send(own, encodeQuery({ questions, authorities }));
    }
    this.stop = this.clock.after(probeIntervalMs, () => this.step());
  }

  private finish(outcome: ProbeOutcome): void {
    this.stop();
    this.end(outcome);
  }
}
