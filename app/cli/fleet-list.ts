import type { Command } from 'commander';
import { appVersion } from '../engine/sessions/environment';
import type { AgentView } from '../fleet/console/agents';
import { otherVersion, otherVersions } from '../fleet/console/other-version';
import { OwnFleet } from '../fleet/console/own-fleet';
import { agentTable } from '../fleet/site/agent-table';
import type { InvitedAgent } from '../fleet/site/agents';
import { thisMachine } from '../fleet/site/hosts';
import { runningServer } from '../fleet/site/server-process';
import { Site } from '../fleet/site/site';
import { exitCodes, problemText, toProblem } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { appFolder } from './app-folder';
import { type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { print, printError, printJson } from './terminal';

const notRunning = 'the server of the fleet is not running. To start it: whiteline fleet start';

interface ListFlags extends FleetFlags {
  json?: boolean;
}

/** Adds `whiteline fleet list`. */
export function addListCommand(fleet: Command): void {
  fleet
    .command('list')
    .description('Lists the agents that are invited, and which of them are connected')
    .addOption(folderOption())
    .option('--json', 'one JSON object per agent')
    .action(finishFleet(listCommand));
}

async function listCommand(flags: ListFlags): Promise<number> {
  const folder = fleetFolder(flags);
  const site = Site.open(folder, { clock: machineClock, machine: thisMachine });
  const agents = site.agents.all();
  const { views, notKnown } = await connectedOf(folder, site, agents);
  if (flags.json)
    for (const agent of agents) printJson({ ...listed(agent), ...stateOf(views, agent.id), ...notKnown });
  else if (agents.length === 0) print('No agent is invited. To invite one: whiteline fleet invite NAME');
  else print(...agentTable(agents, views));
  if (flags.json) return exitCodes.pass;
  const heard = [...(views?.values() ?? [])];
  const ours = appVersion(appFolder);
  for (const view of heard)
    for (const problem of view.problems)
      if (problem !== otherVersion(view, ours)) printError(`whiteline: ${view.name}: ${problem}`);
  // One message instead of the same one for many machines.
  const others = otherVersions(heard, ours);
  if (others !== null) printError(`whiteline: ${others}`);
  if (notKnown) printError(`whiteline: Which agents are connected is not known: ${notKnown.notKnown}`);
  return exitCodes.pass;
}

type Views = ReadonlyMap<string, AgentView>;

interface Connected {
  /** Of the agents that are connected, by their ids; null: that is not known. */
  views: Views | null;
  /** Why. */
  notKnown?: { notKnown: string };
}

async function connectedOf(folder: string, site: Site, agents: readonly InvitedAgent[]): Promise<Connected> {
  if (agents.length === 0) return { views: null };
  if (!site.isCluster && runningServer(site.files) === null)
    return { views: null, notKnown: { notKnown: notRunning } };
  const fleet = new OwnFleet({
    ...{ folder, clock: machineClock, version: appVersion(appFolder), onLost: () => undefined },
  });
  try {
    const views = await fleet.connected(agents.map(({ id }) => id));
    return { views: new Map(views.map((view) => [view.id, view])) };
  } catch (error) {
    return { views: null, notKnown: { notKnown: problemText(toProblem(error)) } };
  } finally {
    await fleet.close();
  }
}

function listed({ id, name, invitedAt }: InvitedAgent): object {
  return { id, name, invitedAt };
}

function stateOf(views: Views | null, id: string): object {
  const view = views?.get(id);
  const isConnected = views && view !== undefined;
  const { version = null, presence = null, problems = [] } = view ?? {};
  return { connected: isConnected, version, console: presence?.holder ?? null, problems };
}
