import type { Command } from 'commander';
import { nmosNodeOf } from '../engine/nmos/settings';
import { problemText, renameFields, toProblem, WhitelineError } from '../protocol/errors';
import type { NmosNodeSettings, NmosNodeView } from '../protocol/nmos-node';
import { engineEnvironment } from '../protocol/shell';

/** `whiteline serve` as a node of NMOS, by the draft BCP-007-01. */

export interface NmosNodeFlags {
  nmosNode?: boolean;
  nmosRegistry?: string;
  nmosListen?: string;
  nmosPort?: string;
  nmosReceivers?: string;
}

/** By the names of fields; host and port are the node's own. */
const flagOf = new Map([
  ['nmosRegistry', '--nmos-registry'],
  ['nmosListen', '--nmos-listen'],
  ['nmosHost', '--nmos-listen'],
  ['host', '--nmos-listen'],
  ['nmosPort', '--nmos-port'],
  ['port', '--nmos-port'],
  ['nmosReceivers', '--nmos-receivers'],
]);

export function addNmosNodeFlags(command: Command): void {
  command
    .option(
      '--nmos-node',
      'makes the console an NMOS node (draft BCP-007-01): controllers can follow and stop streams',
    )
    .option('--nmos-registry <url>', 'registry of the node; default: found by multicast DNS')
    .option(
      '--nmos-listen <address>',
      'address of this machine at which controllers reach the node; default: 127.0.0.1',
    )
    .option('--nmos-port <n>', 'port of the node; 0 picks a free one; default: 0')
    .option(
      '--nmos-receivers <n>',
      'number of streams that controllers can make the console follow; default: 4',
    );
}

/**
 * A flag overrides the environment variable, which carries the setting.
 * @throws WhitelineError BAD_INPUT
 */
export function nmosNodeOfFlags(
  flags: NmosNodeFlags,
  environment: NodeJS.ProcessEnv = process.env,
): NmosNodeSettings | null {
  const { nmosNode, nmosRegistry, nmosListen, nmosPort, nmosReceivers } = flags;
  const settings = inFlags(() =>
    nmosNodeOf({
      ...environment,
      ...(nmosNode && { [engineEnvironment.nmosNode]: 'on' }),
      ...(nmosRegistry !== undefined && { [engineEnvironment.nmosRegistry]: nmosRegistry }),
      ...(nmosListen !== undefined && { [engineEnvironment.nmosHost]: nmosListen }),
      ...(nmosPort !== undefined && { [engineEnvironment.nmosPort]: nmosPort }),
      ...(nmosReceivers !== undefined && { [engineEnvironment.nmosReceivers]: nmosReceivers }),
    }),
  );
  if (settings === null) refuseAlone({ nmosRegistry, nmosListen, nmosPort, nmosReceivers });
  return settings;
}

/** A field that is wrong has the name of its flag. */
function inFlags<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new WhitelineError(renameFields(toProblem(error), (field) => flagOf.get(field)));
  }
}

/** @throws WhitelineError BAD_INPUT for a flag of a node that is off */
function refuseAlone(flags: Omit<NmosNodeFlags, 'nmosNode'>): void {
  const given = Object.entries(flags).find(([, value]) => value !== undefined);
  if (!given) return;
  const [field, value] = given;
  const flag = flagOf.get(field);
  throw new WhitelineError({
    ...{ code: 'BAD_INPUT', field, value },
    message: `${flag} is given without --nmos-node`,
    remedy: `Give --nmos-node too, or leave ${flag} out`,
  });
}

/** Null if there is nothing to say. */
export function nmosNodeText(view: NmosNodeView): string | null {
  switch (view.is) {
    case 'off':
    case 'starting':
      return null;
    case 'searching':
      return `NMOS: the node at ${view.address} searches for a registry`;
    case 'registering':
      return `NMOS: the node at ${view.address} registers at ${view.registry}`;
    case 'registered':
      return `NMOS: the node is registered at ${view.registry} (${view.version})${view.warning ? `. ${view.warning}` : ''}`;
    case 'problem':
      return `NMOS: ${problemText(renameFields(view.problem, (field) => flagOf.get(field)))}`;
  }
}
