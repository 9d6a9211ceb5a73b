import type { Launch } from '../../engine/capabilities/helper/launch';
import { here } from '../../engine/tools/namespace';
import type { ControllerMessage } from '../../nmos/programs/controller-messages';
import type { NodesMessage, NodesMessageOf, RegistryMessage } from '../../nmos/programs/messages';
import type { Standstill } from '../../protocol/standstill';
import { type HelperScript, type ScriptedHelper, scriptedLaunch } from '../../testing/scripted-helper';
import type { SimulatedClock } from '../../testing/simulated-clock';
import { controllerProgram, nodesProgram, registryProgram } from './programs';
import { madeUpReport, madeUpStall } from './scale-rows.fixture';

const resourcesPerNode = 6;
const registerSeconds = 1.75;
const backSeconds = 2.5;
const copySeconds = 0.05;
const fillSeconds = 0.125;
const changeSeconds = 0.5;
const shownSeconds = 0.75;

interface MadeUpStandstill {
  kind: Standstill['kind'];
  seconds: number;
}

/** What registries, nodes and controller of a run do otherwise than well. */
export interface MadeUpScale {
  /** Resources of ours that the registry lacks in this part, from 0 on. */
  missing?: Readonly<Record<number, number>>;
  /** What the report of this part has otherwise. */
  figures?: Readonly<Record<number, Partial<NodesMessageOf<'report'>['figures']>>>;
  /** Nodes never settle. */
  isStuck?: boolean;
  /** How a process of this role stood still until now when it is asked for the nth time, from 0 on. */
  standstills?: Partial<Record<string, Readonly<Record<number, MadeUpStandstill>>>>;
  /** When a process is told this, it does something else. */
  happens?: { to: 'registry' | 'nodes' | 'controller'; at: string; what(helper: ScriptedHelper): void };
}

const registry = registryProgram(here, 1).commands;
const nodes = nodesProgram(here).commands;
const controller = controllerProgram(here).commands;

export function originOf(number: number): string {
  return `http://127.0.0.1:${40_000 + number}`;
}

/** The programs of a run of nodes that all behave, at one or two registries. */
export function madeUpNmosPrograms(clock: SimulatedClock, count: number, scale: MadeUpScale = {}): Launch {
  let registries = 0;
  const now = (): string => String(clock.monotonicNs());
  const scripts: Record<string, () => HelperScript> = {
    registry: () => registryScript(++registries, now),
    nodes: () => nodesScript(count, scale, now),
    controller: () => controllerScript(count),
  };
  return scriptedLaunch(clock, (role) => {
    const script = scripts[role]?.();
    if (!script) throw new Error(`no one made up a ${role}`);
    const { happens } = scale;
    let asked = 0;
    return {
      onCommand(command, helper) {
        const { type } = Object(command);
        if (happens?.to === role && happens.at === type) happens.what(helper);
        else if (type === 'standstills')
          helper.say(stoodStill(scale.standstills?.[role]?.[asked++], clock.monotonicNs()));
        else script.onCommand?.(command, helper);
      },
    };
  }).launch;
}

function stoodStill(one: MadeUpStandstill | undefined, nowNs: number): RegistryMessage {
  const standstills = one ? [{ kind: one.kind, fromNs: nowNs - 1e9 * one.seconds, toNs: nowNs }] : [];
  return { type: 'standstills', standstills };
}

function registryScript(number: number, now: () => string): HelperScript {
  let resources = 0;
  return {
    onCommand(text, helper) {
      const command = registry.parse(text);
      const say = (message: RegistryMessage): void => helper.say(message);
      if (command.type === 'serve') say({ type: 'serving', origins: [originOf(number)] });
      if (command.type === 'hold') {
        resources = command.resources;
        // Of the registration, it has to wait for the nodes too.
        helper.after(1000 * (registerSeconds + copySeconds), () => say({ type: 'holds', atNs: now() }));
      }
      if (command.type === 'census') say({ type: 'census', resources, fewest: resources });
    },
  };
}

function nodesScript(count: number, scale: MadeUpScale, now: () => string): HelperScript {
  let part = 0;
  let registries: string[] = [];
  let begunNs = '0';
  let recovery: NodesMessageOf<'report'>['recovery'] = null;
  let isWaitedFor = false;
  return {
    onCommand(text, helper) {
      const command = nodes.parse(text);
      const say = (message: NodesMessage): void => helper.say(message);
      const later = (seconds: number, message: () => NodesMessage): void =>
        helper.after(1000 * seconds, () => say(message()));
      const comeBack = (): void => later(backSeconds, () => ({ type: 'recovered', atNs: now() }));
      switch (command.type) {
        case 'find': {
          const found = command.registries.map(([url = '']) => url);
          return say({ type: 'found', registries: found, why: '', openFiles: null });
        }
        case 'begin':
          registries = command.registries;
          begunNs = now();
          say({ type: 'begun', controls: 'http://127.0.0.1:41000' });
          later(1, () => ({ type: 'progress', registered: Math.floor(count / 2), back: null }));
          if (!scale.isStuck) later(registerSeconds, () => ({ type: 'settled', atNs: now() }));
          return;
        case 'part':
          part += 1;
          return say({ type: 'parted' });
        case 'silence':
          say({ type: 'silenced' });
          if (!command.isOn && isWaitedFor) comeBack();
          return;
        case 'recover': {
          const awaited = command.gone === null ? count : Math.ceil(count / 2);
          if (command.gone !== null) registries = registries.filter((one) => one !== command.gone);
          recovery = { nodes: awaited, back: awaited, comings: madeUpComings(awaited, now()) };
          say({ type: 'recovering' });
          // After a break, those that come back before they are waited for are not counted.
          if (command.gone === null) isWaitedFor = true;
          else comeBack();
          return;
        }
        case 'report': {
          const { figures: made } = madeUpReport(count);
          const share = count / registries.length;
          const byRegistry = Object.fromEntries(registries.map((origin) => [origin, share]));
          const figures = { ...made, byRegistry, ...scale.figures?.[part] };
          const registrations = madeUpComings(count, begunNs);
          return say({ type: 'report', registrations, recovery, figures, ...madeUpStall, lines: [] });
        }
        case 'count': {
          const ours = resourcesPerNode * count - (scale.missing?.[part] ?? 0);
          return say({ type: 'counted', number: command.number, ours, leftOver: 0, others: 0, why: null });
        }
        case 'remove':
          return say({ type: 'removed', staying: 0, answers: { '204': count } });
      }
    },
  };
}

/** Most of them come in two moments. */
function madeUpComings(nodes: number, sinceNs: string): NodesMessageOf<'report'>['registrations'] {
  const at = (index: number): number => {
    if (index === 0) return 0.25;
    if (index < nodes / 2) return 0.9;
    return index < Math.ceil(0.99 * nodes) ? 1.6 : 1.75;
  };
  return { sinceNs, seconds: Array.from({ length: nodes }, (_, index) => at(index)) };
}

function controllerScript(count: number): HelperScript {
  const awake = { why: null, standstillMs: 4, standstillPercent: 0 };
  return {
    onCommand(text, helper) {
      const command = controller.parse(text);
      const later = (seconds: number, message: ControllerMessage): void =>
        helper.after(1000 * seconds, () => helper.say(message));
      if (command.type === 'fill') {
        const found = { senders: count, receivers: count, ownSenders: count, ownReceivers: count };
        const read = { seconds: fillSeconds, messages: 2, bytes: 2000 * count, losses: 0, leftOut: 0 };
        return later(fillSeconds, {
          type: 'filled',
          figures: { ...found, ...read, leftOutFirst: null },
          ...awake,
        });
      }
      if (command.type === 'standstills') return;
      const { crosspoints } = command;
      const times = { seconds: changeSeconds, shownSeconds, p50Ms: 450, p99Ms: 490, maxMs: 495 };
      const figures = { crosspoints, failed: 0, firstProblem: null, ...times };
      later(shownSeconds, { type: 'changed', figures, ...awake });
    },
  };
}
