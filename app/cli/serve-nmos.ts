import type { Command } from 'commander';
import { nmosNodeOf } from '../engine/nmos/settings';
import { badInput, problemText, renameFields } from '../protocol/errors';
import type { NmosNodeSettings, NmosNodeView } from '../protocol/nmos-node';
import { engineEnvironment } from '../protocol/shell';

/** `whiteline serve` as a node of NMOS, by the draft BCP-007-01. */

export interface NmosNodeFlags {
  nmosNode?: boolean;
  nmosRegistry?: string;
  nmosHost?: string;
  nmosPort?: string;
  nmosReceivers?: string;
}

export function addNmosNodeFlags(command: Command): void {
  command
    .option('--nmos-node', 'is a node of NMOS (draft BCP-007-01), whose controllers follow and stop streams')
    .option('--nmos-registry <url>', 'of the node; default: one that multicast DNS finds')
    .option(
      '--nmos-host <address>',
      'of this machine, at which controllers reach the node; default: 127.0.0.1',
    )
    .option('--nmos-port <n>', 'of the node; 0 takes one that is free; default: 0')
    .option('--nmos-receivers <n>', 'as many streams as controllers can have followed; default: 4');
}

/**
 * A flag stands above the environment, which has the settings.
 * @throws WhitelineError BAD_INPUT
 */
export function nmosNodeOfFlags(
  flags: NmosNodeFlags,
  environment: NodeJS.ProcessEnv = process.env,
): NmosNodeSettings | null {
  const { nmosNode, nmosRegistry, nmosHost, nmosPort, nmosReceivers } = flags;
  const settings = nmosNodeOf({
    ...environment,
    ...(nmosNode && { [engineEnvironment.nmosNode]: 'on' }),
    ...(nmosRegistry !== undefined && { [engineEnvironment.nmosRegistry]: nmosRegistry }),
    ...(nmosHost !== undefined && { [engineEnvironment.nmosHost]: nmosHost }),
    ...(nmosPort !== undefined && { [engineEnvironment.nmosPort]: nmosPort }),
    ...(nmosReceivers !== undefined && { [engineEnvironment.nmosReceivers]: nmosReceivers }),
  });
  const [given] = Object.entries({ nmosRegistry, nmosHost, nmosPort, nmosReceivers }).filter(
    ([, value]) => value !== undefined,
  );
  if (settings === null && given)
    throw badInput(given[0], '--nmos-node beside it', given[1], 'Give --nmos-node too, or leave it out');
  return settings;
}

/** By the node's own names. */
const flagOf = new Map([
  ['host', '--nmos-host'],
  ['port', '--nmos-port'],
  ['nmosRegistry', '--nmos-registry'],
]);

/** Null where there is nothing to say. */
export function nmosNodeText(view: NmosNodeView): string | null {
  switch (view.is) {
    case 'off':
    case 'starting':
      return null;
    case 'searching':
      return `NMOS: the node is at ${view.address} and looks for a registry`;
    case 'registering':
      return `NMOS: the node is at ${view.address} and registers at ${view.registry}`;
    case 'registered':
      return `NMOS: the node is registered at ${view.registry} (${view.version})${view.warning ? `. ${view.warning}` : ''}`;
    case 'problem':
      return `NMOS: ${problemText(renameFields(view.problem, (field) => flagOf.get(field)))}`;
  }
}
