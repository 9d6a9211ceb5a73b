import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { HostEnvironment } from '../../protocol/environment';
import { toProblem } from '../../protocol/errors';
import type { ChangeCode, LoadSample, MachineChange } from '../../protocol/load';
import { wallMsOf } from '../clock';
import type { RemoteMachine } from '../host-application';
import { isOfClock } from '../streams/losses/loss-facts';
import type { NoteEvent } from '../streams/stream-hosts';
import type { WallClock } from '../wall-clock';

export interface MachineRecordsOptions {
  wall: Pick<WallClock, 'clock' | 'offsetUs'>;
  /** Streams that are open. */
  streams(): number;
  noteEvent: NoteEvent;
  onSample(sample: LoadSample): void;
}

const knowsClockWithinNs = 3e9;
const lookMs = 100;

/** What a run records of the other machines on which its streams run: what each is, what it was sampled, and what changed on it. */
export class MachineRecords {
  private readonly followed = new Map<RemoteMachine, () => void>();
  /** A machine that takes part again, and was not given back meanwhile, is what it was. */
  private readonly noted = new WeakSet<RemoteMachine>();

  constructor(private readonly options: MachineRecordsOptions) {}

  /** From now on it is these. */
  follow(machines: readonly RemoteMachine[]): void {
    for (const [machine, stop] of this.followed) {
      if (machines.includes(machine)) continue;
      stop();
      this.followed.delete(machine);
    }
    const fresh = machines.filter((machine) => !this.followed.has(machine));
    for (const machine of fresh)
      this.followed.set(
        machine,
        machine.onSample((sample) => this.take(machine, sample)),
      );
    void this.noteEnvironments(fresh);
  }

  private take({ name, id }: RemoteMachine, sample: LoadSample): void {
    const { wall, onSample, noteEvent, streams } = this.options;
    const wallMs = wallMsOf(sample.atNs, wall.offsetUs);
    onSample({ ...sample, wallMs, streams: streams(), host: name, machine: id });
    // One of each kind: an agent that makes them up does not fill the run.
    const ofClock = new Map(
      sample.changes.filter(({ code }) => isOfClock(code)).map((one) => [one.code, one]),
    );
    for (const { code, data } of ofClock.values())
      noteEvent('wall-clock-step', changeText(name, code, data), { machine: name });
  }

  /** In the order of the machines, whichever answers first. */
  private async noteEnvironments(machines: readonly RemoteMachine[]): Promise<void> {
    for (const machine of machines) {
      if (this.noted.has(machine)) continue;
      this.noted.add(machine);
      await this.noteEnvironment(machine);
    }
  }

  private async noteEnvironment(machine: RemoteMachine): Promise<void> {
    const { noteEvent } = this.options;
    const { name } = machine;
    try {
      const host = await machine.readEnvironment();
      await this.knownClock(machine);
      noteEvent('host-environment', `${name} takes part`, { host: this.environmentOf(machine, host) });
    } catch (error) {
      const { message } = toProblem(error);
      const host = { hostName: name, machine: this.machineOf(machine), notKnown: { machine: message } };
      noteEvent('host-environment', `${name} takes part, and did not say what it is: ${message}`, { host });
    }
  }

  /** How far its clock may be off is known a moment after it was taken. */
  private async knownClock({ clock: theirs }: RemoteMachine): Promise<void> {
    const { clock } = this.options.wall;
    const untilNs = clock.monotonicNs() + knowsClockWithinNs;
    while (!theirs.isKnown && clock.monotonicNs() < untilNs) await clock.sleep(lookMs);
  }

  private environmentOf(machine: RemoteMachine, host: HostEnvironment): object {
    const { hostName, ...rest } = host;
    return { hostName, machine: this.machineOf(machine), ...rest };
  }

  /** As this console knows it. */
  private machineOf({ name, id, clock }: RemoteMachine): object {
    const halfNs = clock.uncertaintyNs(this.options.wall.clock.monotonicNs());
    return {
      name,
      id,
      clockUncertaintyMs: halfNs === null ? null : halfNs / 1e6,
      clockDriftPpm: clock.driftPpm,
    };
  }
}

function changeText(machine: string, code: ChangeCode, { byMs, seconds }: MachineChange['data']): string {
  const fact =
    code === 'machine-suspended'
      ? reasonOf('suspended', { seconds: Number(seconds), machine })
      : reasonOf('wall-clock-step', { byMs: Number(byMs), machine });
  return wordsOf([fact]);
}
