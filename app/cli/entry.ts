#!/usr/bin/env node
import { createRequire } from 'node:module';
import { endWithStarter } from '../protocol/starter';
import { endOnFault } from './fault';

/** What serves a registry or a fleet for days: the bundle of the other commands, with the whole engine in it, would take 50 MB more. */
const ownBundles = ['nmos', 'fleet'];
/** It measures, with the whole engine. */
const measuring = 'fleet matrix';

/** Entry of the `whiteline` command, and the end of all faults that nothing else catches. */
const [, , command = '', second = ''] = process.argv;
process.on('uncaughtException', (error) => endOnFault(error, command));
endWithStarter();

const isOwn = ownBundles.includes(command) && `${command} ${second}` !== measuring;
createRequire(__filename)(`./${isOwn ? command : 'commands'}.cjs`);
