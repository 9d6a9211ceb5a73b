import { fleetProgram } from './fleet-commands';
import { runInProcess } from './program';

/** Entry of `whiteline fleet`. */
void runInProcess(fleetProgram());
