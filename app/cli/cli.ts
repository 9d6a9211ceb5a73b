import { whitelineProgram } from './commands';
import { appFolder } from './folders';
import { runInProcess } from './program';
import { applyConsoleSettings } from './settings';

/** Entry of all commands of `whiteline` but those of entry.ts. */
void runInProcess(whitelineProgram(applyConsoleSettings(appFolder)));
