import type { Command } from 'commander';
import { appVersion } from '../engine/sessions/environment';
import { sentFaultVerbs } from '../protocol/faults';
import { addAgentCommand } from './agent';
import { addCompareCommand } from './compare';
import { addContentCommands } from './content';
import { doctor } from './doctor';
import { finish, finishRun } from './finish';
import { addMatrixCommand } from './fleet-matrix';
import { appFolder } from './folders';
import { addGateFlags } from './gate-flags';
import { fromOption } from './hosts';
import { listCommand } from './list';
import { listOption } from './list-flag';
import { metricsFlag } from './metrics-flag';
import { groupsOption, interfaceFlag } from './ndi-flags';
import { addNoteCommands } from './note';
import { newProgram } from './program';
import { suggestPresentFlags } from './renamed-flags';
import { addReportCommand } from './report';
import { addHeaderFlags, addReportFlags } from './report-flags';
import { addRunCommand } from './run';
import { addRunsCommand, runsFlag } from './runs';
import { selftestCommand } from './selftest';
import { sendCommand } from './send';
import { serveCommand } from './serve';
import { addNmosNodeFlags } from './serve-nmos';
import { sessionFlag } from './session-flag';
import { thresholdsFlag } from './settings';
import { sourcesCommand } from './sources';
import { printError } from './terminal';
import { watchCommand } from './watch';

const lastHelp = 'and a last one of type end with verdict, exitCode and folder';

/**
 * All commands of `whiteline` but those of `whiteline nmos` and `whiteline fleet`.
 * @param settingsProblem why the console's settings are not in force; null if they are
 */
export function whitelineProgram(settingsProblem: string | null): Command {
  const program = newProgram('whiteline')
    .description(
      'Puts video streams on a network one by one, follows every frame, and says what each stream costs.',
    )
    .version(appVersion(appFolder))
    // What follows a command is its own.
    .enablePositionalOptions();

  // Unreadable settings change the thresholds and the runs folder, so each command warns. `doctor` reports them itself.
  program.hook('preAction', (_, command) => {
    if (settingsProblem !== null && command.name() !== 'doctor') printError(`whiteline: ${settingsProblem}`);
  });

  addRunCommand(program);

  program
    .command('list')
    .description('Lists the experiments, and what each still needs on this machine')
    .option('--json', 'one JSON object per experiment')
    .action(finish(listCommand));

  program
    .command('sources')
    .description('Lists the NDI sources on the network')
    .option('--duration <duration>', 'how long to look', '2s')
    .addOption(fromOption())
    .addOption(groupsOption())
    .option(...interfaceFlag)
    .option('--json', 'one JSON object per source: its name and addresses')
    .action(finish(sourcesCommand));

  program
    .command('doctor')
    .description('Says what works on this machine, what does not, and why')
    .option('--json', 'one JSON object per line')
    .action(finish((flags: { json?: boolean }) => doctor(flags, settingsProblem)));

  program
    .command('selftest')
    .description(
      'Injects every fault into real NDI streams on this machine, and certifies that each is counted correctly',
    )
    .option('--duration <duration>', 'length of the test', '30s')
    .option(
      '--seed <n>',
      'seed of an earlier test whose faults to repeat; default: different faults each time',
    )
    .option('--json', 'the certificate as one JSON object')
    .action(finish(selftestCommand));

  const send = program
    .command('send')
    .description('Sends streams until Ctrl-C; put any receiver at the other end')
    .option('--source <source>', 'white-line, noise, or the path of a movie', 'white-line')
    .option('--format <format>', 'picture and rate of a generated source', '1280x720@60')
    .option('--scale <size>', 'resizes a movie')
    .option('--rate <rate>', 'sends a movie at this frame rate, for example 59.94 or 60000/1001')
    .option('--start-frame <n>', 'frame of a Hap movie to begin with')
    .option('--preload', 'reads a Hap movie into memory before it is sent')
    .option(
      '--reads <mode>',
      'how a Hap movie is read: cached, or direct, which bypasses the page cache',
      'cached',
    )
    .option('--pixel-format <format>', 'uyvy or bgra', 'uyvy')
    .option('--streams <n>', 'how many', '1')
    .option(
      '--own-sources',
      'each stream plays its own source with its own id, as a test of a mixer needs; default: all streams share one source',
    )
    .option('--name <name>', 'NDI name; a number follows it', 'Whiteline')
    .addOption(groupsOption())
    .option(...interfaceFlag)
    .option('--no-audio', 'sends no sound along')
    .option(
      '--inject <faults>',
      `faults put into the newest stream on purpose, for example "miss:10-14; skip:100-104", counted from the first measured slot; one of ${sentFaultVerbs.join(', ')}`,
    )
    .option('--out <folder>', 'writes a run folder: what was submitted and missed, by row and stream')
    .option(...sessionFlag)
    .option('--duration <duration>', 'ends after sending for this time; default: at Ctrl-C')
    .option(...thresholdsFlag())
    .option(...metricsFlag)
    .option(
      '--json',
      `one JSON object per line, of type ready (when measuring begins), view (each second and stream) or row, ${lastHelp}`,
    )
    .action(finishRun(sendCommand));
  addHeaderFlags(send);

  const watch = program
    .command('watch [names...]')
    .description('Receives streams until Ctrl-C and counts their frames; put any sender at the other end')
    .option('--out <folder>', 'writes a run folder')
    .option(...sessionFlag)
    .option(
      '--duration <duration>',
      'measures for this time once all streams are received, then ends; default: until Ctrl-C',
    )
    .addOption(
      listOption(
        '--address <host:port>',
        'connects to this address instead of looking up the first name; given again, it is that of the second name, and so on',
      ),
    )
    .addOption(fromOption())
    .addOption(groupsOption())
    .option(...interfaceFlag)
    .option(...thresholdsFlag())
    .option(...metricsFlag)
    .option(
      '--capture-logs',
      'each receiver writes its own log of captured numbers into the folder of --out or --session',
    )
    .option(
      '--programme',
      'the first name is a mixer’s output that switches between several Whiteline sources; the further names are these sources, so that cuts can name them',
    )
    .option(
      '--json',
      `one JSON object per line, of type ready (when measuring begins), view (each second and stream), state, cut or row, ${lastHelp}`,
    )
    .action(finishRun(watchCommand));
  addHeaderFlags(addGateFlags(watch));

  const serve = program
    .command('serve')
    .description('Shows the console in a browser on this machine, or with --listen on others, until Ctrl-C')
    .option('--port <n>', 'port at 127.0.0.1, or at the address of --listen; 0 picks a free one', '0')
    .option(
      '--listen <address>',
      'address of this machine at which others reach the console, with TLS; default: only this machine reaches it',
    )
    .option(
      '--certificate <file>',
      'certificate for --listen, in PEM; default: one from Whiteline’s own authority for this user',
    )
    .option('--key <file>', 'key of --certificate, in PEM')
    .option(...runsFlag())
    .addOption(fromOption())
    .addOption(groupsOption())
    .option(...interfaceFlag)
    .option(...thresholdsFlag())
    .option(...metricsFlag)
    .option('--json', 'one JSON object per line: the address, then each state of the NMOS node')
    .action(finish(serveCommand));
  addReportFlags(serve);
  addNmosNodeFlags(serve);

  addAgentCommand(program);

  addReportCommand(program);
  addRunsCommand(program);
  addCompareCommand(program);
  addNoteCommands(program);

  addContentCommands(
    program.command('content').description('Inspects movies, checks them, and makes test content'),
  );

  // Here for the help alone, but for the matrix: entry.ts starts them.
  program.command('nmos').description('NMOS registry, node, load test and doctor: see whiteline nmos --help');
  const fleet = program
    .command('fleet')
    .description('Machines that measure together: see whiteline fleet --help');
  addMatrixCommand(program, fleet);

  suggestPresentFlags(program);
  return program;
}
