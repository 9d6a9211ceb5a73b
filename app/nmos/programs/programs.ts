import { runNodesProgram } from './nodes-program';
import { runRegistryProgram } from './registry-program';

/** Entry of the processes of a registry and of simulated nodes: its one argument says which. */

if (process.argv[2] === 'registry') runRegistryProgram();
else runNodesProgram();
