import { afterAll, beforeAll } from 'vitest';
import { killAll, type WhitelineCommand } from '../../app/testing/command';
import { FleetHere } from '../../app/testing/fleet-here';
import { outputPaths, temporaryFolder } from '../../app/testing/temporary-folder';
import { withoutBus } from './network';
import { consoleAddress, SiteNetwork } from './site-network';

/** Machines at one switch, each with network, host name and clock of its own, and a fleet on them: real nats-server, real agents. */
interface OpenFleet<Name extends string> {
  site: SiteNetwork<Name>;
  fleet: FleetHere;
  /** By their machines. */
  agents: Record<Name, WhitelineCommand>;
}

export interface FleetScene<Name extends string> extends Readonly<OpenFleet<Name>> {
  /** Of the test file. */
  folder: string;
  /** Path for what a command of a test writes. */
  out(name: string): string;
  /** Kills the agent of this machine, and starts it again. */
  restart(name: Name): Promise<void>;
  /** A command on the console’s machine. */
  whiteline(...words: string[]): WhitelineCommand;
}

/**
 * Opened before the first test of a file, closed after its last one.
 * @param machines beside the console’s, each with further words of its agent
 */
export function fleetScene<Name extends string>(
  machines: Readonly<Record<Name, readonly string[]>>,
): FleetScene<Name> {
  const folder = temporaryFolder();
  let opened: OpenFleet<Name>;
  beforeAll(async () => {
    opened = await openFleet(folder, machines);
  });
  afterAll(() => {
    opened.fleet.close();
    opened.site.close();
  });
  return {
    folder,
    out: outputPaths(folder),
    restart: async (name) => {
      const { agents } = opened;
      killAll(agents[name].processes());
      agents[name] = await startAgent(opened, name, machines[name]);
    },
    whiteline: (...words) => opened.fleet.whiteline(words),
    get site() {
      return opened.site;
    },
    get fleet() {
      return opened.fleet;
    },
    get agents() {
      return opened.agents;
    },
  };
}

async function openFleet<Name extends string>(
  folder: string,
  machines: Readonly<Record<Name, readonly string[]>>,
): Promise<OpenFleet<Name>> {
  const names = Object.keys(machines) as Name[];
  const site = await SiteNetwork.of(...names);
  const { inside } = site.console;
  const fleet = new FleetHere(folder, { address: consoleAddress, inside, environment: withoutBus });
  await fleet.startServer(...names);
  const here = { site, fleet };
  const started = names.map(async (name) => [name, await startAgent(here, name, machines[name])] as const);
  const agents = Object.fromEntries(await Promise.all(started)) as Record<Name, WhitelineCommand>;
  return { ...here, agents };
}

function startAgent<Name extends string>(
  { site, fleet }: Pick<OpenFleet<Name>, 'site' | 'fleet'>,
  name: Name,
  words: readonly string[],
): Promise<WhitelineCommand> {
  return fleet.runAgent(name, fleet.logsOf(name), site.inside(name), words);
}
