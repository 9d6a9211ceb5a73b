#!/usr/bin/env node
import { createRequire } from 'node:module';
import { endWithStarter } from '../protocol/starter';
import { endOnFault } from './fault';

/**
 * Entry of the `whiteline` command, and the end of all faults that nothing else catches. What serves a registry for days is a bundle of its own: that of the other commands, with the
 * whole engine in it, would take 50 MB more.
 */
process.on('uncaughtException', endOnFault);
endWithStarter();

createRequire(__filename)(process.argv[2] === 'nmos' ? './nmos.cjs' : './commands.cjs');
