import type { planCommands } from '../../protocol/console-commands';
import type { Handlers } from '../../rpc/serve-commands';
import { readPlan } from '../plans/read-plan';
import { writePlan } from '../plans/write-plan';
import type { EngineParts } from './engine-parts';

export function planHandlers({
  application,
}: Pick<EngineParts, 'application'>): Handlers<typeof planCommands> {
  return {
    savePlan: async ({ plan, grant }) => {
      // The dialog that named it asked before.
      writePlan(plan, await application.redeemGrant('plan', grant), 'replace');
      return null;
    },
    openPlan: async ({ grant }) => readPlan(await application.redeemGrant('plan-to-open', grant)).plan,
  };
}
