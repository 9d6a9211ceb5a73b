import { machineClock } from '../../protocol/machine-clock';
import { runControllerProgram } from './controller-program';
import { runNodesProgram } from './nodes-program';
import { runRegistryProgram } from './registry-program';

/** Entry of the processes of a registry, of simulated nodes and of a controller: its one argument says which. */

const programs = new Map([
  ['registry', runRegistryProgram],
  ['nodes', runNodesProgram],
  ['controller', runControllerProgram],
]);
const run = programs.get(process.argv[2] ?? '');
if (!run) throw new Error(`Expected one of ${[...programs.keys()].join(', ')}`);
run(machineClock);
