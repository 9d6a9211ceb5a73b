#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { experimentOf } from '../engine/experiments/registry';
import { exitCodes } from '../protocol/errors';
import { addContentCommands } from './content';
import { doctor } from './doctor';
import { finish } from './finish';
import { addRunFlags, runCommand } from './run';
import { selftestCommand } from './selftest';
import { sendCommand } from './send';
import { sourcesCommand } from './sources';
import { watchCommand } from './watch';

/** Entry of the `whiteline` command. */

const program = new Command('whiteline')
  .description(
    'Puts video streams on a network one by one, follows every frame, and says what each stream costs.',
  )
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

const run = program
  .command('run <experiment>')
  .description('Runs an experiment: rows to the terminal, everything to a run folder')
  .allowUnknownOption()
  .allowExcessArguments()
  .action(finish(refuseExperiment));
addRunFlags(run.command('stream-load').allowExcessArguments(false)).action(finish(runCommand));

program
  .command('sources')
  .description('Lists the NDI sources of the network')
  .option('--seconds <n>', 'how long to look', '2')
  .option('--from <hosts>', 'asks these hosts directly too, for example 192.0.2.7,192.0.2.8')
  .option('--json', 'one JSON object per source')
  .action(finish(sourcesCommand));

program
  .command('doctor')
  .description('Says what works on this machine, what does not, and why')
  .option('--json', 'one JSON object per line')
  .action(finish(doctor));

program
  .command('selftest')
  .description(
    'Puts every fault into real NDI on this machine, and certifies that each is counted as what it is',
  )
  .option('--frames <n>', 'length of the test, frames at 60 a second', '1800')
  .option('--seed <n>', 'repeats the faults of an earlier test; default: others each time')
  .option('--json', 'the certificate as one JSON object')
  .action(finish(selftestCommand));

program
  .command('send')
  .description('Sends streams until Ctrl-C; put any receiver at the other end')
  .option('--source <source>', 'white-line, noise, or the path of a movie', 'white-line')
  .option('--format <format>', 'picture and rate of a generated source', '1280x720@60')
  .option('--scale <size>', 'resizes a movie')
  .option('--rate <rate>', 'sends a movie at this frame rate, for example 59.94 or 60000/1001')
  .option('--start-frame <n>', 'frame of a Hap movie that is sent first')
  .option('--preload', 'reads a Hap movie into memory before it is sent')
  .option('--pixel-format <format>', 'uyvy or bgra', 'uyvy')
  .option('--streams <n>', 'how many', '1')
  .option('--name <name>', 'NDI name; a number follows it', 'Whiteline')
  .option('--no-audio', 'sends no sound along')
  .action(finish(sendCommand));

program
  .command('watch <names...>')
  .description('Receives streams until Ctrl-C and counts their frames; put any sender at the other end')
  .option('--out <folder>', 'writes a run folder')
  .option('--seconds <n>', 'ends by itself')
  .option('--address <host:port>', 'connects there without looking the first name up')
  .option('--from <hosts>', 'asks these hosts directly too, for example 192.0.2.7,192.0.2.8')
  .option('--capture-logs', 'each receiver writes its own log of captured numbers into the folder of --out')
  .option('--json', 'one JSON object per line, of type view (each second and stream), state or row')
  .action(finish(watchCommand));

addContentCommands(
  program.command('content').description('Looks at movies, checks them, and makes test content'),
);

/** Only an experiment without a command of its own comes here. */
async function refuseExperiment(id: string): Promise<number> {
  experimentOf(id);
  return exitCodes.badInput;
}

program.parseAsync().catch((error: unknown) => {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.pass : exitCodes.badInput;
});
