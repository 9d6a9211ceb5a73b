import { preflightDeclaration } from '../../app/experiments/preflight/declaration';
import { useConsole } from '../engine/console-store';
import { listExperiments, setUp } from '../experiments/experiment-actions';

/** Shows the form of the preflight with these machines in it: nothing is started. */
export async function setUpPreflight(machines: readonly string[]): Promise<void> {
  if (useConsole.getState().offers === null) await listExperiments();
  const offer = useConsole.getState().offers?.find(({ id }) => id === preflightDeclaration.id);
  if (offer) setUp(offer, { on: machines.join(',') });
}
