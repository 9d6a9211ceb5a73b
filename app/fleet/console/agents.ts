import type { Clock } from '../../protocol/clock';
import { fleetProtocol } from '../../protocol/fleet/agent-commands';
import {
  type AgentHead,
  type AgentPresence,
  headOf,
  presenceOf,
  silentAfterMs,
} from '../../protocol/fleet/presence';
import { everyPresence, presenceSubject } from '../../protocol/fleet/subjects';
import type { Bus } from '../bus/bus';
import { otherVersion } from './other-version';

/** here: heard just now. silent: not heard for longer than it takes to speak. left: it said that it ends. */
export type AgentState = 'here' | 'silent' | 'left';

export interface AgentView extends Pick<AgentHead, 'id' | 'name' | 'version'> {
  state: AgentState;
  /** Since it was last heard. */
  silentSeconds: number;
  /** In words, what keeps it from being used or may mislead; empty if nothing does. */
  problems: string[];
  /** Null of an agent that speaks another version of the protocol. */
  presence: AgentPresence | null;
}

interface Heard {
  head: AgentHead;
  presence: AgentPresence | null;
  atNs: number;
  /** Of processes of this agent that were heard before the present one. */
  earlier: string[];
  /** When one of these was heard again; null: none was. */
  twiceNs: number | null;
}

/** An agent is started again now and then: what it was called long ago is of no use. */
const rememberedSessions = 8;
/** A site has some hundreds. */
const mostAgents = 10_000;

/** All agents that were heard, by what each says of itself once a second. */
export class Agents {
  private readonly heard = new Map<string, Heard>();
  private readonly stop: () => void;

  constructor(
    private readonly options: {
      bus: Bus;
      clock: Pick<Clock, 'monotonicNs'>;
      /** Of this console. */
      version: string;
    },
  ) {
    this.stop = options.bus.subscribe(everyPresence, (value, subject) => this.take(value, subject));
  }

  /** By their names. */
  views(): AgentView[] {
    const nowNs = this.options.clock.monotonicNs();
    const all = [...this.heard.values()];
    const names = all.filter((heard) => stateOf(heard, nowNs) !== 'left').map(({ head }) => head.name);
    return all
      .map((heard) => this.viewOf(heard, nowNs, names))
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id.localeCompare(b.id, 'en'));
  }

  close(): void {
    this.stop();
  }

  private take(value: unknown, subject: string): void {
    const head = headOf(value);
    // The bus lets an agent speak under its own id alone; what it says of its id has to agree.
    if (!head || subject !== presenceSubject(head.id)) return;
    const before = this.heard.get(head.id);
    if (!before && this.heard.size >= mostAgents) return;
    const presence = head.protocol === fleetProtocol ? (presenceOf(value) ?? null) : null;
    const atNs = this.options.clock.monotonicNs();
    const { earlier = [], twiceNs = null } = before ?? {};
    if (!before || before.head.session === head.session)
      this.heard.set(head.id, { head, presence, atNs, earlier, twiceNs });
    else
      this.heard.set(head.id, {
        ...{ head, presence, atNs },
        earlier: [before.head.session, ...earlier].slice(0, rememberedSessions),
        // A process that was replaced says nothing more: this one was not replaced.
        twiceNs: earlier.includes(head.session) ? atNs : twiceNs,
      });
  }

  private viewOf(heard: Heard, nowNs: number, names: readonly string[]): AgentView {
    const { head, presence, atNs } = heard;
    const { id, name, version } = head;
    const state = stateOf(heard, nowNs);
    const problems: string[] = [];
    if (head.protocol !== fleetProtocol)
      problems.push(
        `It speaks version ${head.protocol} of the fleet’s protocol, and this console version ${fleetProtocol}`,
      );
    else if (presence === null) problems.push('This console cannot read what it reports of itself');
    const otherOne = otherVersion(head, this.options.version);
    if (otherOne !== null) problems.push(otherOne);
    const namesakes = state === 'left' ? 1 : names.filter((other) => other === name).length;
    if (namesakes > 1)
      problems.push(`${namesakes} agents have the name ${name}: give each one a name of its own`);
    if (heard.twiceNs !== null && nowNs - heard.twiceNs <= silentAfterMs * 1e6)
      problems.push('Two machines use its join file: invite each one separately');
    return { id, name, version, state, silentSeconds: (nowNs - atNs) / 1e9, problems, presence };
  }
}

function stateOf({ presence, atNs }: Heard, nowNs: number): AgentState {
  if (presence?.leaving) return 'left';
  return nowNs - atNs > silentAfterMs * 1e6 ? 'silent' : 'here';
}
