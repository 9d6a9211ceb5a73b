import type { Problem } from '../../app/protocol/errors';
import { command } from './connection';
import { keyOfCommand, useConsole, withoutAlert, withPlayed } from './console-store';
import { engineAbsent } from './engine-client';
import { useMachines } from './machines';
import { rampId } from './ramp';
import { parametersOf, problemsAt, type SourceSettings, sourceOf, useSettings } from './source-settings';

const pauseMs = 150;

/** What is wrong with them; null: nothing, or there is no engine that checks them. */
export async function checkParameters(
  experiment: string,
  parameters: Record<string, unknown>,
): Promise<Problem | null> {
  const { result, problem } = await command({ name: 'checkParameters', experiment, parameters });
  if (result) useConsole.setState((view) => withPlayed(view, result));
  return problem === engineAbsent ? null : problem;
}

/** Lets the engine check the form while it is typed; all that it has against it appears beside the fields. */
export function checkWhileTyping(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function check(settings: SourceSettings): Promise<void> {
    newest += 1;
    const mine = newest;
    const problem = await checkParameters(rampId, { ...parametersOf(settings) });
    if (mine !== newest) return;
    useSettings.setState(({ problems }) => ({ problems: problemsAt(problem, { ...settings, problems }) }));
  }

  // Machines that are named may come and go.
  useMachines.subscribe(({ names }, before) => {
    if (names.join() !== before.names.join()) void check(useSettings.getState());
  });
  useSettings.subscribe((settings, previous) => {
    if (settings.problems !== previous.problems) return;
    if (isOtherSource(settings, previous)) {
      const refusal = keyOfCommand('addStream');
      useConsole.setState((view) => withoutAlert(view, refusal));
    }
    clearTimeout(timer);
    timer = setTimeout(() => void check(settings), pauseMs);
  });
}

/** What was said against adding a stream was said of the source before. */
function isOtherSource(settings: SourceSettings, previous: SourceSettings): boolean {
  return (
    sourceOf(settings) !== sourceOf(previous) ||
    settings.format !== previous.format ||
    settings.name !== previous.name ||
    settings.sendOn !== previous.sendOn
  );
}
