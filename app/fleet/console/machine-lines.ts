import type { MachineFigures, MachineLine, MachineNow, MachineState } from '../../protocol/fleet/fleet-view';
import type { AgentLoad } from '../../protocol/fleet/presence';
import type { InvitedAgent } from '../site/agents';
import type { AgentState, AgentView } from './agents';

export type HeardMachine = MachineLine & MachineNow;

/** A line for each machine that was invited, whether or not it was heard; by their names. */
export function machineLines(
  invited: readonly Pick<InvitedAgent, 'id' | 'name'>[],
  views: readonly AgentView[],
): HeardMachine[] {
  const heard = new Map(views.map((view) => [view.id, view]));
  return invited
    .map(({ id, name }) => {
      const view = heard.get(id);
      // One that gives itself another name than that of its invitation is not it.
      return view?.name === name ? lineOf(view) : { ...absent, id, name };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

const absent: Omit<HeardMachine, 'id' | 'name'> = {
  ...{ state: 'absent', silentSeconds: null, version: null, console: null, problems: [] },
  ...{ streams: null, figures: null },
};

const states: Record<AgentState, MachineState> = { here: 'connected', silent: 'silent', left: 'ended' };

function lineOf({ id, name, state, silentSeconds, version, problems, presence }: AgentView): HeardMachine {
  // What it said of itself some time ago is not so now.
  const now = state === 'here' ? presence : null;
  return {
    ...{ id, name, silentSeconds, version, problems, state: states[state] },
    console: now?.holder ?? null,
    streams: now && { senders: now.senders, receivers: now.receivers },
    figures: now?.load ? figuresOf(now.load) : null,
  };
}

function figuresOf(load: AgentLoad): MachineFigures {
  const { cpuPercent, gpuPercent, wireReceiveMbps, wireTransmitMbps } = load;
  return { cpuPercent, gpuPercent, receiveMbps: wireReceiveMbps, transmitMbps: wireTransmitMbps };
}
