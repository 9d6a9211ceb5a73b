import { Option } from 'commander';
import { timedLog } from '../nmos/timed-log';
import { machineClock } from '../protocol/machine-clock';
import { finishing, optionFlag, typedFlag, typedOption } from './finishing';
import { listOption } from './list-flag';
import { printError } from './terminal';

/** What the commands of NMOS have in common. */

export interface ServerFlags {
  listen: string[];
  port: string;
  label: string;
  json?: boolean;
}

const usualAddresses = ['127.0.0.1'];

export function listenOption(): Option {
  return listOption('--listen <addresses...>', 'addresses of this machine to listen on', usualAddresses);
}

export function portOption(usual: string): Option {
  return new Option('--port <n>', 'port to listen on; 0 picks a free one').default(usual);
}

/** By the names of fields of NMOS, where a flag has another. */
const keyOf: Readonly<Record<string, string>> = { host: 'listen', domain: 'dnsDomain' };

export const finishNmos = finishing({
  flagOfField: (command, field) => typedFlag(command, keyOf[field] ?? field),
  flagOfWord: optionFlag,
  typedText: (command, field) => typedOption(command, keyOf[field] ?? field),
});

/** A line with its time on standard error. */
export const logNmos = timedLog((line) => printError(line), machineClock);
