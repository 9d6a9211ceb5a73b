#!/usr/bin/env node
import { createRequire } from 'node:module';

/**
 * Entry of the `whiteline` command. What serves a registry for days is a bundle of its own: that of the other commands, with the
 * whole engine in it, would take 50 MB more.
 */
createRequire(__filename)(process.argv[2] === 'nmos' ? './nmos.cjs' : './commands.cjs');
