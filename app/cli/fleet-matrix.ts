import type { Command } from 'commander';
import { badInput, WhitelineError } from '../protocol/errors';
import type { MachineLine } from '../protocol/fleet/fleet-view';
import { thisMachine } from '../protocol/stream-parameters';
import { exitCodeOfAction } from './finishing';
import { experimentFlags } from './flags';
import { ownFleet } from './fleet-console';
import { CommandEnd } from './program';
import { printError } from './terminal';

const experiment = 'matrix';
/** Nothing is known yet: all lines are asked for. */
const noRevision = 0;

/** `whiteline fleet matrix`: `run matrix` with all its flags; without `--on` it takes the machines that are connected and free. */
export function addMatrixCommand(program: Command, fleet: Command): void {
  fleet
    .command('matrix')
    .description(
      `Measures every pair of machines: whiteline run ${experiment}, on all that are connected and free`,
    )
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_: unknown, command: Command) => {
      const { args } = command;
      const run = program.commands.find((one) => one.name() === 'run');
      const matrix = run?.commands.find((one) => one.name() === experiment);
      matrix?.configureHelp({ commandUsage: () => 'whiteline fleet matrix [options]' });
      let on: string[] = [];
      if (!args.some((word) => /^(--on(=|$)|--help$|-h$)/.test(word))) {
        const look = async (_: Command): Promise<number> => {
          on = ['--on', await freeMachines()];
          return 0;
        };
        const exitCode = await exitCodeOfAction(experimentFlags, look, [command]);
        if (exitCode !== 0) throw new CommandEnd(exitCode);
      }
      await program.parseAsync(['run', experiment, ...args, ...on], { from: 'user' });
    });
}

/** @throws WhitelineError if there is no fleet, its server does not run, or fewer than two machines are free */
async function freeMachines(): Promise<string> {
  const fleet = ownFleet();
  try {
    const { changed, problem, server } = await fleet.view(noRevision);
    if (server === 'none' || server === 'stopped')
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: problem ?? 'No fleet is set up on this machine',
        remedy: 'Start it: whiteline fleet start',
      });
    await fleet.connected(changed.map(([, { id }]) => id));
    return chosen((await fleet.view(noRevision)).changed.map(([, machine]) => machine));
  } finally {
    await fleet.close();
  }
}

function chosen(machines: readonly MachineLine[]): string {
  const connected = machines.filter(({ state }) => state === 'connected');
  const free = connected.filter((machine) => whyLeftOut(machine) === null).map(({ name }) => name);
  const left = connected.flatMap((machine) => whyLeftOut(machine) ?? []);
  if (free.length < 2) {
    const there = [...free, ...left].join('; ') || 'none';
    const remedy = `Start agents on others, or measure one with the console: --on NAME,"${thisMachine}"`;
    throw badInput('on', 'at least 2 machines that are connected and free', there, remedy);
  }
  printError(`Machines: ${free.join(', ')}`, ...left.map((why) => `Left out: ${why}`));
  return free.join(',');
}

/** Null: it can be measured. */
function whyLeftOut({ name, console, problems, streams }: MachineLine): string | null {
  if (console !== null) return `${name} is in use by ${console}`;
  return streams === null ? `${name}: ${problems.join('; ')}` : null;
}
