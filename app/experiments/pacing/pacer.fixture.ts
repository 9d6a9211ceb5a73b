import type { Launch } from '../../engine/capabilities/helper/launch';
import { here } from '../../engine/tools/namespace';
import { type HelperScript, type ScriptedHelper, scriptedLaunch } from '../../testing/scripted-helper';
import type { SimulatedClock } from '../../testing/simulated-clock';
import { type PacerCommand, type PacerMessage, type PacerMessageOf, pacerProgram } from './pacer-program';
import { madeUpPacing } from './pacing-rows.fixture';

/** What one row of packets is like. */
export interface MadeUpPackets {
  spreadNs: number;
  received?: Parameters<typeof madeUpPacing>[1];
  /** Seconds after the first packet was due, something else happens to one end. */
  happens?: { to: 'sender' | 'receiver'; afterSeconds: number; what(helper: ScriptedHelper): void };
}

type CommandOf<Type extends PacerCommand['type']> = Extract<PacerCommand, { type: Type }>;

const { commands } = pacerProgram('sender', here);
const heldNs = 300_000;

/** Both ends of the packet pacer, row by row: a packet every interval, and a second's figures every second. */
export function madeUpPacers(clock: SimulatedClock, rows: readonly MadeUpPackets[]): Launch {
  let row = -1;
  return scriptedLaunch(clock, (role) => {
    // The receiver is the first of a row.
    if (role === 'pacer-receiver') row += 1;
    const packets = rows[row];
    if (!packets) throw new Error(`no one made up the packets of row ${row}`);
    return role === 'pacer-sender' ? new Sender(clock, packets) : new Receiver(clock, packets);
  }).launch;
}

function isOfReceiver({ of }: PacerMessageOf<'intervals'>): boolean {
  return of === 'received' || of === 'undisturbed';
}

abstract class End implements HelperScript {
  protected startNs = Number.NaN;

  constructor(
    protected readonly clock: SimulatedClock,
    protected readonly packets: MadeUpPackets,
  ) {}

  onCommand(text: unknown, helper: ScriptedHelper): void {
    this.carryOut(commands.parse(text), (message: PacerMessage) => helper.say(message), helper);
  }

  protected abstract carryOut(
    command: PacerCommand,
    say: (message: PacerMessage) => void,
    helper: ScriptedHelper,
  ): void;

  protected begin(to: 'sender' | 'receiver', startNs: string, helper: ScriptedHelper): void {
    // Of a listener: from now on.
    this.startNs = startNs === '' ? this.clock.monotonicNs() : Number(startNs);
    const { happens } = this.packets;
    if (happens?.to === to) helper.at(this.startNs + happens.afterSeconds * 1e9, () => happens.what(helper));
  }
}

class Sender extends End {
  private prepared: CommandOf<'prepare'> | null = null;

  protected carryOut(
    command: PacerCommand,
    say: (message: PacerMessage) => void,
    helper: ScriptedHelper,
  ): void {
    if (command.type === 'prepare') {
      const { policy } = madeUpPacing(this.packets.spreadNs);
      this.prepared = command;
      if (policy) say({ ...policy, cores: [command.core ?? 0] });
      return;
    }
    if (command.type !== 'begin' || !this.prepared) return;
    this.begin('sender', command.startNs, helper);
    const { packets, intervalNs } = this.prepared;
    const endNs = this.startNs + packets * intervalNs;
    for (let atNs = this.startNs + 1e9; atNs <= endNs; atNs += 1e9) {
      const untilNs = atNs - this.startNs;
      const windows = `${untilNs - heldNs}:${untilNs}`;
      const held = { spinHolds: 1, spinHeldNs: heldNs, stolenWindows: 0, stolenNs: 0 };
      helper.at(atNs, () => say({ type: 'held', windows, untilNs, ...held }));
    }
    helper.at(endNs, () => this.saySent(packets, helper));
  }

  onStop(helper: ScriptedHelper): void {
    const { prepared, clock, startNs } = this;
    const nowNs = clock.monotonicNs();
    if (prepared && nowNs >= startNs && nowNs < startNs + prepared.packets * prepared.intervalNs)
      this.saySent(Math.floor((nowNs - startNs) / prepared.intervalNs), helper);
    helper.exit(0);
  }

  private saySent(slots: number, helper: ScriptedHelper): void {
    const { sent, intervals } = madeUpPacing(this.packets.spreadNs);
    const each = { slots, sent: slots, wakeUps: slots, processorNs: Math.round(slots * 18_750) };
    for (const one of Object.values(intervals))
      if (!isOfReceiver(one)) helper.say({ ...one, count: Math.max(0, slots - 1) });
    helper.say({ type: 'sent', ...sent, ...each });
  }
}

class Receiver extends End {
  protected carryOut(
    command: PacerCommand,
    say: (message: PacerMessage) => void,
    helper: ScriptedHelper,
  ): void {
    const { spreadNs, received: changes } = this.packets;
    const { listening, intervals, received, seconds } = madeUpPacing(spreadNs);
    const [second] = seconds;
    if (command.type === 'listen') say(listening);
    if (command.type === 'begin') {
      this.begin('receiver', command.startNs, helper);
      let index = 0;
      const each = 8000;
      helper.at(this.startNs, () =>
        helper.every(1000, () => {
          if (second) say({ ...second, second: index, received: each * (index + 1) });
          index += 1;
        }),
      );
    }
    if (command.type === 'finish') {
      const slots = command.sent ?? Math.floor((this.clock.monotonicNs() - this.startNs) / 125_000);
      const told = { ...received, received: slots, excluded: Math.round(slots / 100), ...changes };
      const count = Math.max(0, told.received + told.duplicated - 1);
      for (const one of Object.values(intervals)) if (isOfReceiver(one)) say({ ...one, count });
      say(told);
    }
  }
}
