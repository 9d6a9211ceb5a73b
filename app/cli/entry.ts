#!/usr/bin/env node
import { createRequire } from 'node:module';
import { endWithStarter } from '../protocol/starter';
import { bundleOf } from './bundle';
import { endOnFault } from './fault';

/** Entry of the `whiteline` command, and the end of all faults that nothing else catches. */
const [, , ...words] = process.argv;
const [command = ''] = words;
process.on('uncaughtException', (error) => endOnFault(error, command));
endWithStarter();

createRequire(__filename)(`./${bundleOf(words)}.cjs`);
