import { hostname } from 'node:os';
import type { RemoteMachine } from '../engine/host-application';
import type { MeasuredNow, MeasuredRun } from '../engine/measured-now';
import type { Clock } from '../protocol/clock';
import { type AgentPresence, silentAfterMs } from '../protocol/fleet/presence';
import type { Facts, MachineFacts, MachineSample } from './facts';

/** An agent of the fleet that was heard, as the fleet shows it. */
export interface HeardAgent {
  id: string;
  name: string;
  version: string;
  state: 'here' | 'silent' | 'left';
  silentSeconds: number;
  presence: AgentPresence | null;
}

/** What a console measures now. */
export interface MeasuredSource {
  measured(): MeasuredNow & { run: MeasuredRun | null };
  /** Absent: it knows no fleet. */
  heard?(): readonly HeardAgent[];
}

const nothing: MeasuredNow & { run: null } = {
  ...{ counting: {}, streams: [], isReceiverRemote: false, sample: null, machines: [], run: null },
};

/** The facts of a console, of whatever it measures at the moment. */
export class ConsoleFacts {
  private source: MeasuredSource | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly version: string,
  ) {}

  /** From now on it is this; null: nothing is measured. */
  show(source: MeasuredSource | null): void {
    this.source = source;
  }

  read(): Facts {
    const { sample, machines, ...measured } = this.source?.measured() ?? nothing;
    const nowNs = this.clock.monotonicNs();
    const own: MachineFacts = {
      ...{
        name: hostname(),
        id: '',
        version: null,
        clock: null,
        isReachable: null,
        isLeased: null,
        ends: null,
      },
      sample: sample && freshSample(sample, (nowNs - sample.atNs) / 1e9),
    };
    return {
      ...measured,
      ...{ build: { version: this.version, node: process.versions.node }, agent: null },
      machines: [own, ...remoteMachines(machines, this.source?.heard?.() ?? [], nowNs)],
    };
  }
}

/** A sample with its age; null if it proves nothing about this moment any more. */
export function freshSample(
  sample: Omit<MachineSample, 'ageSeconds'>,
  ageSeconds: number,
): MachineSample | null {
  return ageSeconds * 1000 <= silentAfterMs ? { ...sample, ageSeconds: Math.max(0, ageSeconds) } : null;
}

/** Those that this console uses, then the others that were heard. */
function remoteMachines(
  used: readonly RemoteMachine[],
  heard: readonly HeardAgent[],
  nowNs: number,
): MachineFacts[] {
  const others = heard.filter(({ id, state }) => state !== 'left' && used.every((one) => one.id !== id));
  return [
    ...used.map((machine) =>
      usedMachine(
        machine,
        heard.find(({ id }) => id === machine.id),
        nowNs,
      ),
    ),
    ...others.map(heardMachine),
  ];
}

function usedMachine(machine: RemoteMachine, heard: HeardAgent | undefined, nowNs: number): MachineFacts {
  const { id, name, clock, unreachableSinceNs } = machine;
  const newest = machine.samples.at(-1);
  const sample = newest ? freshSample(newest, (nowNs - newest.atNs) / 1e9) : null;
  const halfNs = clock.uncertaintyNs(nowNs);
  const known = heard && heardMachine(heard);
  return {
    ...{ id, name, sample },
    version: known?.version ?? null,
    clock: { uncertaintySeconds: halfNs === null ? null : halfNs / 1e9, driftPpm: clock.driftPpm },
    isReachable: unreachableSinceNs === null && (known?.isReachable ?? sample !== null),
    isLeased: known?.isLeased ?? null,
    ends: known?.ends ?? null,
  };
}

function heardMachine({ id, name, version, state, silentSeconds, presence }: HeardAgent): MachineFacts {
  const isReachable = state === 'here';
  // What it said before it fell silent is of another moment.
  const said = isReachable ? presence : null;
  return {
    ...{ id, name, version, isReachable, clock: null },
    sample: said?.load ? freshSample(said.load, silentSeconds) : null,
    isLeased: said && said.holder !== null,
    ends: said && { sender: said.senders, receiver: said.receivers },
  };
}
