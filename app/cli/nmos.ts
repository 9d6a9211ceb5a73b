import { finishing, typedFlag } from './finishing';
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

runProgram(program);
