import type { Command } from 'commander';
import { addDoctorCommand } from './nmos-doctor';
import { addLoadCommand } from './nmos-load';
import { addNodeCommand } from './nmos-node';
import { addRegistryCommand } from './nmos-registry';
import { newProgram } from './program';
import { suggestPresentFlags } from './renamed-flags';

/** The commands of `whiteline nmos`. */
export function nmosProgram(): Command {
  const program = newProgram('whiteline');
  const nmos = program.command('nmos').description('NMOS: AMWA IS-04, IS-05 and IS-09');
  addRegistryCommand(nmos);
  addNodeCommand(nmos);
  addLoadCommand(nmos);
  addDoctorCommand(nmos);
  suggestPresentFlags(program);
  return program;
}
