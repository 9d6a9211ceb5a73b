import type { engineApplicationCommands } from '../protocol/application-commands';
import { toProblem, WhitelineError } from '../protocol/errors';
import type { FileGrants } from '../protocol/file-grants';
import { reportHeaderOf } from '../protocol/machine-settings';
import type { Handlers } from '../rpc/serve-commands';
import { machineSettings } from './machine-settings';
import { printPage } from './print-page';

/** Does for the engine what only main can do. */
export function engineAnswers(grants: FileGrants): Handlers<typeof engineApplicationCommands> {
  return {
    printPage: async ({ htmlFile, pdfFile }) => {
      try {
        await printPage(htmlFile, pdfFile);
      } catch (error) {
        const message = `The report was not printed: ${toProblem(error).message}`;
        throw new WhitelineError({ code: 'TOOL_FAILED', message });
      }
      return null;
    },
    reportHeader: () => reportHeaderOf(machineSettings().settings),
    redeemGrant: ({ purpose, grant }) => grants.redeem(purpose, grant),
  };
}
