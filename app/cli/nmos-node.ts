import type { Command } from 'commander';
import { dnsServerOf, domainOf } from '../nmos/discovery/typed-dns';
import { interfacesWith } from '../nmos/interfaces';
import { fixedApis } from '../nmos/node/api-finder';
import { startExampleNode } from '../nmos/node/example-node';
import { outOfReachText } from '../nmos/node/reach';
import type { RegistrationState } from '../nmos/node/registration';
import { type NodeDiscovery, runNode } from '../nmos/node/run-node';
import { badInput, exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { aborted, abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { finishNmos, listenOption, logNmos, portOption, type ServerFlags } from './nmos-flags';
import { print, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface NodeFlags extends ServerFlags {
  senders: string;
  receivers: string;
  registry?: string[];
  system?: string[];
  dnsServer?: string;
  dnsDomain?: string;
  development?: boolean;
}

/** Adds `whiteline nmos node`. */
export function addNodeCommand(nmos: Command): void {
  nmos
    .command('node')
    .description('Runs an IS-04 and IS-05 node until Ctrl-C; its senders and receivers carry no media')
    .addOption(listenOption())
    .addOption(portOption('0'))
    .option('--senders <n>', 'number of senders: video, audio and data in turn', '3')
    .option('--receivers <n>', 'number of receivers: video, audio and data in turn', '3')
    .option('--label <text>', 'label of the node', 'Whiteline node')
    .addOption(
      listOption(
        '--registry <urls...>',
        'registers at the first that answers; default: registries found by multicast DNS',
      ),
    )
    .addOption(
      listOption('--system <urls...>', 'with --registry: takes the heartbeat interval from this System API'),
    )
    .option('--dns-server <address>', 'finds registries at this DNS server, in --dns-domain')
    .option('--dns-domain <name>', 'domain to look up at --dns-server, for example studio.example.org')
    .option('--development', 'also uses development registries (priority 100 and above)')
    .option('--json', 'one JSON object per line, of type node, heartbeat, state or activated')
    .action(finishNmos(nodeCommand));
}

/** A larger number is most likely a typing error. */
const mostEndpoints = 10_000;

/** A node until Ctrl-C, which removes it from its registry. */
async function nodeCommand(flags: NodeFlags): Promise<number> {
  const { listen: hosts } = flags;
  const discovery = discoveryOf(flags, hosts);
  const say = (value: object, text: string): void => (flags.json ? printJson(value) : print(text));
  const node = await startExampleNode({
    ...{ hosts, port: wholeNumber(flags.port, 'port', 65_535), label: flags.label },
    ...{ clock: machineClock, log: logNmos },
    interfaces: await interfacesWith(hosts, machineClock),
    senders: wholeNumber(flags.senders, 'senders', mostEndpoints),
    receivers: wholeNumber(flags.receivers, 'receivers', mostEndpoints),
    onActivated: ({ role, id, active: { master_enable: isOn, legs } }) =>
      say(
        { type: 'activated', role, id, isOn, legs },
        `The ${role} ${id} is ${isOn ? 'on' : 'off'}: ${JSON.stringify(legs)}`,
      ),
  });
  const { signal } = abortOnInterrupt();
  try {
    const { id } = node.model.node;
    say({ type: 'node', address: node.origin, id }, `The node ${id} is at ${node.origin}; Ctrl-C ends it`);
    const outOfReach = outOfReachText(hosts, flags.registry ?? []);
    if (outOfReach !== null) logNmos(outOfReach);
    const running = await runNode({
      ...{ node, discovery, clock: machineClock, log: logNmos },
      onHeartbeat: (seconds, isOfSystem) => {
        const why = isOfSystem ? 'from the System API' : 'because no System API answered';
        say({ type: 'heartbeat', seconds, isOfSystem }, `Heartbeat every ${seconds} s, ${why}`);
      },
      onState: (state) => say({ type: 'state', ...state }, stateText(state)),
    });
    await aborted(signal);
    await running.close();
  } finally {
    await node.close();
  }
  return exitCodes.pass;
}

/** @throws WhitelineError BAD_INPUT for flags that contradict each other */
function discoveryOf(flags: NodeFlags, hosts: readonly string[]): NodeDiscovery {
  const { registry, system, dnsServer, dnsDomain: domain, development } = flags;
  const priorities = { from: 0, to: development ? Number.MAX_SAFE_INTEGER : 99 };
  if (registry) {
    if (dnsServer !== undefined)
      throw badInput(
        'dnsServer',
        'no DNS server together with --registry',
        dnsServer,
        'Leave out one of the two',
      );
    return {
      by: 'urls',
      registries: fixedApis(registry, 'v1.3', 'registry'),
      // A registry often has the System API beside it.
      systems: fixedApis(system ?? registry, 'v1.0', 'system'),
    };
  }
  if (system)
    throw badInput('system', 'no System API without --registry', system.join(' '), 'Give --registry too');
  if (dnsServer !== undefined) {
    if (domain === undefined)
      throw badInput('dnsServer', 'a DNS server together with a domain', dnsServer, 'Give --dns-domain too');
    return { by: 'unicast', server: dnsServerOf(dnsServer), domain: domainOf(domain), priorities };
  }
  if (domain !== undefined)
    throw badInput('dnsDomain', 'no domain without --dns-server', domain, 'Give --dns-server too');
  return { by: 'multicast', hosts, priorities };
}

function stateText(state: RegistrationState): string {
  switch (state.is) {
    case 'searching':
      return 'Searching for a registry';
    case 'registering':
      return `Registering at ${state.registry}`;
    case 'registered':
      return `Registered at ${state.registry} (${state.version}) with ${state.resources} resources`;
    case 'waiting':
      return `Trying ${state.registry} again in ${state.seconds.toFixed(1)} s: ${state.reason}`;
    case 'refused':
      return `The registry ${state.registry} refuses this node: ${state.reason}`;
    case 'removed':
      return `Removed from ${state.registry}`;
  }
}
