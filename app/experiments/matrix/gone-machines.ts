import type { StreamSet } from '../../engine/streams/stream-set';
import type { Fact } from '../../facts/fact';
import { reasonOf } from '../../facts/reason-words';
import type { Problem } from '../../protocol/errors';
import type { Pair } from './pair-row';

const noAgent = 'its agent is not connected';

/** The machines that left in the middle of a matrix: no further pair of theirs is waited for. */
export class GoneMachines {
  private readonly gone = new Map<string, string>();
  private seen: number;

  constructor(private readonly set: Pick<StreamSet, 'died'>) {
    this.seen = set.died.length;
  }

  /** Why a pair is not begun; null: both its machines are there, as far as is known. */
  reasonFor({ from, to }: Pair): Fact | null {
    for (const machine of [from, to]) {
      const why = machine === undefined ? undefined : this.gone.get(machine);
      if (machine !== undefined && why !== undefined) return reasonOf('pair-machine-gone', { machine, why });
    }
    return null;
  }

  /** Once a pair is over: a machine whose processes could not be started again is gone. */
  look(): void {
    for (const { machine, isLost, why } of this.set.died.slice(this.seen))
      if (isLost && machine !== undefined)
        this.add(machine, why === undefined ? noAgent : `its process ${why}`);
    this.seen = this.set.died.length;
  }

  /** What kept a pair from being measured, in words; where that is a machine that is not there, it is gone. */
  whyNot({ field, value, message }: Problem, pair: Pair): string {
    const machine = field === 'sendOn' ? pair.from : field === 'receiveOn' ? pair.to : undefined;
    if (machine === undefined || String(value) !== machine) return message;
    this.add(machine, noAgent);
    return `${machine}: ${noAgent}`;
  }

  private add(machine: string, why: string): void {
    if (!this.gone.has(machine)) this.gone.set(machine, why);
  }
}
