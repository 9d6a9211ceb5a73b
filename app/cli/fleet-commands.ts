import type { Command } from 'commander';
import { addInviteCommand } from './fleet-invite';
import { addListCommand } from './fleet-list';
import { addStartCommand } from './fleet-start';
import { addStopCommand } from './fleet-stop';
import { newProgram } from './program';
import { suggestPresentFlags } from './renamed-flags';

/** The commands of `whiteline fleet`. */
export function fleetProgram(): Command {
  const program = newProgram('whiteline');
  const fleet = program.command('fleet').description('A fleet: machines that measure together');
  addStartCommand(fleet);
  addInviteCommand(fleet);
  addListCommand(fleet);
  addStopCommand(fleet);
  // Here for the help alone: it needs the whole engine, and entry.ts starts it.
  fleet
    .command('matrix')
    .description('Measures a stream between every pair of machines: see whiteline fleet matrix --help');
  suggestPresentFlags(program);
  return program;
}
