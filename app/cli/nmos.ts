import { finishing, typedFlag } from './finishing';
import { loadCommand } from './nmos-load';
import { nodeCommand } from './nmos-node';
import { registryCommand } from './nmos-registry';
import { newProgram, runProgram } from './program';

/** Entry of `whiteline nmos`. */

const finish = finishing((command, field) => typedFlag(command, field));
const program = newProgram('whiteline');
const nmos = program.command('nmos').description('NMOS: AMWA IS-04, IS-05 and IS-09');

nmos
  .command('registry')
  .description('A registry of IS-04 v1.2 and v1.3, with the System API of IS-09, until Ctrl-C')
  .option('--host <addresses...>', 'of this machine, on which it listens', ['127.0.0.1'])
  .option('--port <n>', '0 takes one that is free', '8010')
  .option('--expiry <duration>', 'how long a node is kept without a heartbeat', '12s')
  .option('--heartbeat <duration>', 'between two heartbeats of a node, as the System API says', '5s')
  .option('--ptp-domain <n>', 'as the System API says', '127')
  .option('--label <text>', 'of the system', 'Whiteline')
  .option('--snapshot <file>', 'keeps what is held over restarts; without it, it is in memory alone')
  .option(
    '--peer <urls...>',
    'registries with which it shares all that it holds, each of which has to name this one',
  )
  .option('--priority <n>', 'as announced: 0 first, from 100 on for development', '10')
  .option('--no-announce', 'is not announced by multicast DNS on the interfaces of --host')
  .option('--json', 'the addresses as one JSON object')
  .action(finish(registryCommand));

nmos
  .command('node')
  .description('A node of IS-04 and IS-05, whose senders and receivers move no media, until Ctrl-C')
  .option('--host <addresses...>', 'of this machine, on which it listens', ['127.0.0.1'])
  .option('--port <n>', '0 takes one that is free', '0')
  .option('--senders <n>', 'how many; video, audio and data in turn', '3')
  .option('--receivers <n>', 'how many; video, audio and data in turn', '3')
  .option('--label <text>', 'what it is called', 'Whiteline node')
  .option(
    '--registry <urls...>',
    'registers at the first that answers; default: those that multicast DNS finds',
  )
  .option('--system <urls...>', 'beside --registry: takes the heartbeat interval from this System API')
  .option('--dns-server <address>', 'finds registries at this DNS server, in --domain')
  .option('--domain <name>', 'that --dns-server is asked for, for example studio.example.org')
  .option('--development', 'registers at registries for development too, of a priority from 100 on')
  .option('--json', 'one JSON object per line, of type node, heartbeat, state or activated')
  .action(finish(nodeCommand));

nmos
  .command('load')
  .description(
    'Registers many simulated nodes, keeps them registered, and removes them: what a registry can hold',
  )
  .requiredOption(
    '--registry <urls...>',
    'over which nodes are spread; where one fails, its nodes go to the next',
  )
  .option('--nodes <n>', 'each with a device, a source, a flow, a sender and a receiver', '750')
  .option('--connections <n>', '"per-node": each its own; or so many for all', 'per-node')
  .option('--ramp <duration>', 'over which nodes begin where each has its own connection', '0s')
  .option('--hold <duration>', 'how long heartbeats go on after all are registered', '0s')
  .option('--wait <duration>', 'for nodes that are not registered yet', '2m')
  .option('--heartbeat <duration>', 'between two of a node; without it as the System API says, or 5s')
  .option('--expiry <duration>', 'how long the registry keeps a node that it does not hear of', '12s')
  .option('--http-timeout <duration>', 'for an answer', '5s')
  .option('--retry <duration>', 'until a node tries again, after all registries have failed', '5s')
  .option('--run <name>', 'ids follow from it; without it each load has ids of its own')
  .option('--json', 'all figures as one JSON object')
  .action(finish(loadCommand));

runProgram(program);
