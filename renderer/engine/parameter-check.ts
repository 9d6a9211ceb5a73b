import { command } from './connection';
import { parametersOf, type SourceSettings, useSettings } from './source-settings';

const pauseMs = 150;

/** Lets the engine check the form while it is typed; its word appears under the field. */
export function checkWhileTyping(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function check(settings: SourceSettings): Promise<void> {
    newest += 1;
    const mine = newest;
    const problem = await command({
      name: 'checkParameters',
      experiment: 'stream-load',
      parameters: { ...parametersOf(settings) },
    });
    if (mine !== newest) return;
    const problems: Record<string, string> = problem?.field ? { [problem.field]: problem.message } : {};
    useSettings.setState({ problems });
  }

  useSettings.subscribe((settings, previous) => {
    if (settings.problems !== previous.problems) return;
    clearTimeout(timer);
    timer = setTimeout(() => void check(settings), pauseMs);
  });
}
