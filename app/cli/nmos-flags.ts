import { Option } from 'commander';
import { timedLog } from '../nmos/timed-log';
import { machineClock } from '../protocol/machine-clock';
import { finishing, optionFlag, typedFlag, typedOption } from './finishing';
import { printError } from './terminal';

/** What the commands of NMOS have in common. */

export interface ServerFlags {
  host: string[];
  port: string;
  label: string;
  json?: boolean;
}

const usualHost = '127.0.0.1';

export function hostOption(): Option {
  const option = new Option('--host <addresses...>', 'addresses of this machine to listen on');
  return option.default([usualHost], usualHost);
}

export function portOption(usual: string): Option {
  return new Option('--port <n>', 'port to listen on; 0 picks a free one').default(usual);
}

export const finishNmos = finishing({
  flagOfField: (command, field) => typedFlag(command, field),
  flagOfWord: optionFlag,
  typedText: (command, field) => typedOption(command, field),
});

/** A line with its time on standard error. */
export const logNmos = timedLog((line) => printError(line), machineClock);
