import { nmosProgram } from './nmos-commands';
import { runInProcess } from './program';

/** Entry of `whiteline nmos`. */
void runInProcess(nmosProgram());
