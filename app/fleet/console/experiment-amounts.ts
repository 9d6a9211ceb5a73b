import { badInput } from '../../protocol/errors';
import type { FromExperiment } from '../../protocol/fleet/experiment-messages';

/** More than any of these experiments says: all of it comes to the disk of this console. */
const most: Partial<Record<FromExperiment['type'], number>> = { row: 10_000, event: 5000 };
/** As JSON. 200 rows of 10 minutes of wake-ups each, or thousands of others. */
const mostBytes = 32_000_000;

/** What one experiment on another machine said, in all. */
export class ExperimentAmounts {
  private readonly counts = new Map<FromExperiment['type'], number>();
  private bytes = 0;

  /** @throws WhitelineError BAD_INPUT for more than an experiment says */
  add(message: FromExperiment): void {
    const { type } = message;
    const count = (this.counts.get(type) ?? 0) + 1;
    this.counts.set(type, count);
    const limit = most[type];
    if (limit !== undefined && count > limit)
      throw badInput(type, `at most ${limit} of one experiment`, count);
    this.bytes += Buffer.byteLength(JSON.stringify(message));
    if (this.bytes > mostBytes)
      throw badInput(type, `at most ${mostBytes} bytes of one experiment`, this.bytes);
  }
}
