import type { fleetCommands } from '../../protocol/console-commands';
import { WhitelineError } from '../../protocol/errors';
import { noFleet } from '../../protocol/fleet/fleet-view';
import type { Handlers } from '../../rpc/serve-commands';
import type { EngineParts } from './engine-parts';

export function fleetHandlers({
  application,
}: Pick<EngineParts, 'application'>): Handlers<typeof fleetCommands> {
  const { fleet } = application;
  return {
    viewFleet: async ({ known }) => (await fleet?.view(known)) ?? noFleet,
    readMachine: async ({ id }) => (await fleet?.facts(id)) ?? null,
    inviteMachine: async ({ machine, grant, isAgain }) => {
      if (!fleet) throw new WhitelineError({ code: 'NOT_FOUND', message: 'This console has no fleet' });
      return fleet.invite(machine, await application.redeemGrant('join-file', grant), isAgain);
    },
  };
}
